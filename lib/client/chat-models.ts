import type { TokenPrice } from '@/lib/protocol/chat/token-price';
import { list, object, type Schema } from './answer-schema';
import { type CallOptions, exchanger, fitting, type TurnpikeClientOptions } from './exchange';
import { recordOf } from './lenient-values';
import { isModelId } from './model-id';

export const MODELS_PATH = '/api/v1/models';

/** A chat model as the gateway lists it. */
export interface ChatModelInfo {
  id: string;
  name: string;
  /** Tokens of question and answer together; null where nobody says. */
  contextTokens: number | null;
  maxOutputTokens: number | null;
  /** Whether its server did not answer when the gateway last looked. */
  isOffline: boolean;
  can: ModelAbilities;
  /** Where, by the gateway's word, its answers are vouched for piece by piece alone (ML-KEM-768). It decides which model is chosen where nobody has, and nothing about how content is encrypted. */
  answersInPieces?: true;
  /** Null where the list names none. */
  price: TokenPrice | null;
}

/** What a model can do (spec, "Model capability flags"). */
export interface ModelAbilities {
  /** Takes end-to-end encrypted requests, of whichever kind: how they are encrypted follows from the key that is attested. */
  encrypt: boolean;
  /** Runs in an enclave that can be attested. */
  attest: boolean;
  /** Takes `response_format` with a JSON schema. */
  followSchema: boolean;
  callTools: boolean;
}

/** Which of these to encrypt to where nobody has chosen: the first, one whose answers are vouched for as a whole before others. */
export function encryptingModel(models: readonly ChatModelInfo[]): ChatModelInfo | undefined {
  const encrypting = models.filter(({ can }) => can.encrypt);
  return encrypting.find(({ answersInPieces }) => !answersInPieces) ?? encrypting[0];
}

const anything: Schema<unknown> = (value) => value;
const modelList = object({ data: list(anything) });

/** The chat models, by id. Public. @throws GatewayError or UnreachableError */
export async function listChatModels(
  options: TurnpikeClientOptions,
  callOptions?: CallOptions,
): Promise<readonly ChatModelInfo[]> {
  return readChatModels(await fitting(modelList, await exchanger(options)('GET', MODELS_PATH, callOptions)));
}

/** Reads the body of the list. Never throws: what is not of the known shape is left out. */
export function readChatModels(body: unknown): readonly ChatModelInfo[] {
  const { data } = recordOf(body);
  return Array.isArray(data) ? data.flatMap(readModel) : [];
}

function readModel(value: unknown): ChatModelInfo[] {
  const { id, type, model_spec: spec } = recordOf(value);
  if (!isModelId(id) || (type !== undefined && type !== 'text')) return [];
  const { name, availableContextTokens, maxCompletionTokens, capabilities, pricing, offline, encryption } =
    recordOf(spec);
  const flags = recordOf(capabilities);
  return [
    {
      id,
      name: typeof name === 'string' && name !== '' ? name : id,
      contextTokens: countOrNull(availableContextTokens),
      maxOutputTokens: countOrNull(maxCompletionTokens),
      isOffline: offline === true,
      can: {
        encrypt: takesEncrypted(flags, encryption),
        attest: flags.supportsTeeAttestation === true,
        followSchema: flags.supportsResponseSchema === true,
        callTools: flags.supportsFunctionCalling === true,
      },
      ...(encryption === 'ml-kem-768' && { answersInPieces: true as const }),
      price: readPrice(recordOf(pricing)),
    },
  ];
}

/**
 * Whether clients can encrypt to a model. `supportsE2EE` is said of the encryption of the specification alone; other
 * kinds are named by `encryption`. Gateways that name none have the flag alone.
 */
function takesEncrypted({ supportsE2EE }: Readonly<Record<string, unknown>>, encryption: unknown): boolean {
  return supportsE2EE === true || (typeof encryption === 'string' && encryption !== '');
}

/** Prices are USD per million tokens in the list. */
function readPrice({
  input,
  output,
  cache_input: cached,
  cache_write: written,
}: Readonly<Record<string, unknown>>): TokenPrice | null {
  const [inputNanoUsdPerMillion, outputNanoUsdPerMillion, cachedInputNanoUsdPerMillion, cacheWriteNanoUsdPerMillion] = [
    input,
    output,
    cached,
    written,
  ].map(nanoUsdOf);
  if (inputNanoUsdPerMillion == null || outputNanoUsdPerMillion == null) return null;
  return {
    inputNanoUsdPerMillion,
    outputNanoUsdPerMillion,
    ...(cachedInputNanoUsdPerMillion != null && { cachedInputNanoUsdPerMillion }),
    ...(cacheWriteNanoUsdPerMillion != null && { cacheWriteNanoUsdPerMillion }),
  };
}

function nanoUsdOf(price: unknown): number | null {
  const { usd } = recordOf(price);
  return typeof usd === 'number' && Number.isFinite(usd) && usd >= 0 && usd < 1e6 ? Math.round(usd * 1e9) : null;
}

function countOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
}
