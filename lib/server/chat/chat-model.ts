import type { Privacy } from '@/lib/protocol/api-keys/key-scope';
import type { TokenPrice } from '@/lib/protocol/chat/token-price';
import { recordOf } from '@/lib/protocol/json-record';
import { CREATED_UNKNOWN } from '@/lib/protocol/models/model-facts';
import { ENCRYPTIONS, type ModelOverride, type UpstreamEncryption } from '../config/inference';
import type { ModelUpstream } from '../upstreams/models/model-upstream';

const CONTEXT_TOKENS = 32_768;
const CONTEXT_TOKENS_MAX = 10_000_000;
const ID_LENGTH_MAX = 256;

/** Kind of model. `embedding` occurs only at enclaves that encrypt whole bodies. */
export type ModelType = 'text' | 'embedding';

interface ChatCapabilities {
  /** True for the specification's encryption (ECDSA keys). For any other encryption, see `ChatModel.encryption`. */
  supportsE2EE: boolean;
  supportsTeeAttestation: boolean;
  supportsResponseSchema: boolean;
  supportsFunctionCalling: boolean;
  supportsVision?: boolean;
}

export interface ChatModel {
  id: string;
  type: ModelType;
  upstream: ModelUpstream;
  /** Name of the model at the upstream's control server. */
  controlId: string;
  name: string;
  created: number;
  ownedBy: string;
  contextTokens: number;
  maxOutputTokens: number;
  capabilities: ChatCapabilities;
  encryption: UpstreamEncryption | null;
  price: TokenPrice;
}

type Json = Readonly<Record<string, unknown>>;

/** Returns whether to send documents to a model as files. Few models without vision accept files. */
export function takesFiles({ id, upstream, capabilities }: ChatModel): boolean {
  return capabilities.supportsVision === true && !upstream.oddities.attachmentsOf(id).has('files');
}

/**
 * Returns whether a model is known to refuse pictures. The sources are the configuration, the upstream's list and
 * recent refusals.
 */
export function isKnownBlind({ id, upstream, capabilities: { supportsVision } }: ChatModel): boolean {
  return (
    supportsVision === false || (supportsVision === undefined && upstream.oddities.attachmentsOf(id).has('images'))
  );
}

/**
 * Parses an entry of an upstream's model list, in OpenAI's format or this gateway's; null for an entry without an id.
 * Reads the context size under the names of vLLM (`max_model_len`), llama.cpp (`meta.n_ctx_train`), Groq
 * (`context_window`) and others (`context_length`). The operator's configuration takes precedence.
 */
export function chatModel(
  entry: unknown,
  upstream: ModelUpstream,
  own: ReadonlyMap<string, ModelOverride>,
  standardPrice: TokenPrice,
): ChatModel | null {
  const json = recordOf(entry);
  const { id } = json;
  if (typeof id !== 'string' || id === '' || id.length > ID_LENGTH_MAX) return null;
  const override = own.get(id);
  const spec = recordOf(json['model_spec']);
  const { supportsE2EE: isEncryptable, ...abilities } = {
    ...capabilitiesOf(json, spec, upstream),
    ...definedOf(override?.capabilities ?? {}),
  };
  const encryption = isEncryptable ? upstream.encryption : null;
  const contextTokens = override?.contextTokens ?? contextOf(json, spec);
  const isEmbedding = encryption === 'ehbp' && (override?.type ?? json['type']) === 'embedding';
  return {
    id,
    type: isEmbedding ? 'embedding' : 'text',
    upstream,
    controlId: textOf(json['chute_id']) ?? id,
    name: override?.name ?? textOf(spec['name']) ?? textOf(json['name']) ?? id,
    created: countOf(json['created']) ?? CREATED_UNKNOWN,
    ownedBy: textOf(json['owned_by']) ?? upstream.name,
    contextTokens,
    maxOutputTokens:
      override?.maxOutputTokens ??
      Math.min(
        contextTokens,
        countOf(recordOf(json['top_provider'])['max_completion_tokens']) ??
          countOf(json['max_completion_tokens']) ??
          contextTokens,
      ),
    capabilities: { supportsE2EE: encryption === 'ecdsa', ...abilities },
    encryption,
    price: override?.price ?? standardPrice,
  };
}

function contextOf(json: Json, spec: Json): number {
  const said = [
    spec['availableContextTokens'],
    json['context_length'],
    json['max_model_len'],
    json['context_window'],
    recordOf(json['meta'])['n_ctx_train'],
    json['max_context_length'],
  ]
    .map(countOf)
    .find((value) => value !== null);
  return Math.min(said ?? CONTEXT_TOKENS, CONTEXT_TOKENS_MAX);
}

/**
 * Returns a model's capabilities. By default, models in enclaves support attestation and encryption, and all models
 * support function calls and response schemas. The fields of an entry in this gateway's format override these defaults.
 * In the result, `supportsE2EE` is true for any kind of encryption.
 */
function capabilitiesOf(json: Json, spec: Json, { isEnclave, encryption }: ModelUpstream): ChatCapabilities {
  const said = { ...recordOf(json['capabilities']), ...recordOf(spec['capabilities']) };
  const seeing = visionOf(json, said);
  const flag = (name: keyof ChatCapabilities, standard: boolean): boolean =>
    typeof said[name] === 'boolean' ? (said[name] as boolean) : standard;
  return {
    supportsE2EE: isEnclave && (saysEncryption(spec) ? spec['encryption'] === encryption : flag('supportsE2EE', true)),
    supportsTeeAttestation: isEnclave && flag('supportsTeeAttestation', true),
    supportsResponseSchema: flag('supportsResponseSchema', true),
    supportsFunctionCalling: flag('supportsFunctionCalling', true),
    ...(seeing !== null && { supportsVision: seeing }),
  };
}

/**
 * Returns whether a list entry says that its model accepts pictures; null if the entry does not say. Reads the
 * gateway's flag, Mistral's `capabilities.vision`, inputs (OpenRouter, Chutes), abilities (llama.cpp, Ollama), and LM
 * Studio's types.
 */
function visionOf(json: Json, said: Json): boolean | null {
  const flag = [said['supportsVision'], said['vision'], json['supports_vision'], json['supports_image_input']].find(
    (value) => typeof value === 'boolean',
  );
  if (typeof flag === 'boolean') return flag;
  const inputs = [
    recordOf(json['architecture'])['input_modalities'],
    json['input_modalities'],
    json['supported_input_modalities'],
  ].find(Array.isArray);
  if (inputs !== undefined) return inputs.includes('image');
  const abilities: unknown = json['capabilities'];
  if (Array.isArray(abilities) && abilities.some((ability) => ability === 'vision' || ability === 'multimodal'))
    return true;
  if (Array.isArray(abilities) && abilities.includes('completion')) return false;
  return json['type'] === 'vlm' ? true : null;
}

/** Returns whether an entry specifies its encryption, which takes precedence over `supportsE2EE`. */
function saysEncryption(spec: Json): boolean {
  return (ENCRYPTIONS as readonly unknown[]).includes(spec['encryption']);
}

function definedOf<T extends object>(value: T): { [Key in keyof T]-?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [Key in keyof T]-?: Exclude<T[Key], undefined>;
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, ID_LENGTH_MAX) : null;
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
}

/** Returns whether this gateway has verified a model's enclave. @throws ApiError ATTESTATION_UNAVAILABLE */
export type IsAttested = (model: ChatModel) => Promise<boolean>;

/**
 * Returns the privacy of a chat; null if the chat is not private.
 *
 * @param models all models that may answer, because failover must not reduce the privacy
 */
export async function privacyOf(
  models: readonly ChatModel[],
  isEncrypted: boolean,
  isAttested: IsAttested,
): Promise<Privacy | null> {
  if (models.length === 0 || models.some(({ capabilities }) => !capabilities.supportsTeeAttestation)) return null;
  const verdicts = await Promise.all(models.map(isAttested));
  if (verdicts.includes(false)) return null;
  return isEncrypted ? 'encrypted' : 'attested';
}
