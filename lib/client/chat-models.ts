import { recordOf } from '@/lib/protocol/json-record';
import type { TokenPrice } from '@/lib/protocol/chat/token-price';
import { isModelId } from './model-id';
import { list, object, type Schema } from './answer-schema';
import { type CallOptions, exchanger, fitting, type TurnpikeClientOptions } from './exchange';

const MODELS_PATH = '/api/v1/models';

export interface ChatModelInfo {
  id: string;
  name: string;
  /** Context length of prompt and answer together; null if unknown. */
  contextTokens: number | null;
  maxOutputTokens: number | null;
  /** True if the model's server did not respond to the last check. */
  isOffline: boolean;
  can: ModelAbilities;
  /**
   * True if, according to the gateway, the encryption authenticates each event of an answer but not the whole answer
   * (ML-KEM-768).
   */
  answersInPieces?: true;
  price: TokenPrice | null;
  /** Median time to the first token of recent streamed chats. */
  firstTokenMs?: number;
}

/** Capabilities of a model (spec, "Model capability flags"). */
export interface ModelAbilities {
  /** Accepts end-to-end encrypted requests. The attested key determines the scheme. */
  encrypt: boolean;
  /** Runs in an enclave that provides attestation. */
  attest: boolean;
  /** Accepts `response_format` with a JSON schema. */
  followSchema: boolean;
  callTools: boolean;
  /** Accepts pictures. False if encryption covers single messages, because these cannot contain pictures. */
  see: boolean;
}

/**
 * Returns the default model for encryption: the first model whose answers are authenticated as a whole, else the first
 * model that encrypts.
 */
export function encryptingModel(models: readonly ChatModelInfo[]): ChatModelInfo | undefined {
  const encrypting = models.filter(({ can }) => can.encrypt);
  return encrypting.find(({ answersInPieces }) => !answersInPieces) ?? encrypting[0];
}

const anything: Schema<unknown> = (value) => value;
const modelList = object({ data: list(anything) });

/**
 * Fetches the chat models. Public.
 *
 * @throws {GatewayError | UnreachableError}
 */
export async function listChatModels(
  options: TurnpikeClientOptions,
  callOptions?: CallOptions,
): Promise<readonly ChatModelInfo[]> {
  return readChatModels(await fitting(modelList, await exchanger(options)('GET', MODELS_PATH, callOptions)));
}

/** Parses a model list. Never throws; leaves out malformed entries. */
export function readChatModels(body: unknown): readonly ChatModelInfo[] {
  const { data } = recordOf(body);
  return Array.isArray(data) ? data.flatMap(readModel) : [];
}

function readModel(value: unknown): ChatModelInfo[] {
  const { id, type, model_spec: spec } = recordOf(value);
  if (!isModelId(id) || (type !== undefined && type !== 'text')) return [];
  const { name, availableContextTokens, maxCompletionTokens, capabilities, pricing, offline, encryption, latency } =
    recordOf(spec);
  const firstTokenMs = countOrNull(recordOf(latency)['firstTokenMs']);
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
        see: flags.supportsVision === true && !encryptsMessages(flags, encryption),
      },
      ...(encryption === 'ml-kem-768' && { answersInPieces: true as const }),
      price: readPrice(recordOf(pricing)),
      ...(firstTokenMs !== null && { firstTokenMs }),
    },
  ];
}

/**
 * Returns whether the model accepts encrypted requests. `supportsE2EE` is true only for the specification's encryption.
 * `encryption` identifies the scheme; older gateways omit it.
 */
function takesEncrypted({ supportsE2EE }: Readonly<Record<string, unknown>>, encryption: unknown): boolean {
  return supportsE2EE === true || (typeof encryption === 'string' && encryption !== '');
}

function encryptsMessages({ supportsE2EE }: Readonly<Record<string, unknown>>, encryption: unknown): boolean {
  return supportsE2EE === true || encryption === 'ecdsa' || encryption === 'ed25519';
}

/**
 * Converts a model's prices from USD to nano-USD per million tokens. Returns null if the input or output price is
 * missing.
 */
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
