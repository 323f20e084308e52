import { refusedAttachments, type Attachment } from '@/lib/protocol/chat/attachments';
import {
  type ChatRequest,
  namedLimitOf,
  TOKEN_LIMIT_NAMES,
  type TokenLimitName,
  tokenLimitOf,
} from '@/lib/protocol/chat/chat-request';
import type { UpstreamAnswer } from './model-exchange';

/** Part of a request that some servers refuse: a field, both token limits together, or a kind of attachment. */
export type Oddity =
  | TokenLimitName
  | 'two-limits'
  | 'stream_options'
  | 'reasoning_effort'
  | 'response_format'
  | Attachment;

export type Oddities = ReadonlySet<Oddity>;

/**
 * Time for which refused attachments are remembered. Later, the server may have loaded a model that accepts them.
 */
const ATTACHMENTS_MS = 600_000;
const EFFORT_REFUSED = /reasoning[._]effort|does not support thinking|think value/;
const VALUE_REFUSED = /unsupported.value|input should be/i;
const FIELD_STATUSES: ReadonlySet<number> = new Set([400, 422]);
const ATTACHMENT_STATUSES: ReadonlySet<number> = new Set([400, 404, 415, 422, 500, 501]);

const MODELS_MAX = 5_000;
const REFUSAL_BYTES_MAX = 16_384;

const NONE: Oddities = new Set();

/**
 * Remembers which parts of requests a server's models refused. Refused attachments are forgotten after ten minutes.
 * Refused fields are forgotten when the gateway restarts or reloads its configuration.
 */
export class LearnedOddities {
  readonly #fields = new Map<string, Oddities>();
  readonly #attachments = new Map<string, { kinds: ReadonlySet<Attachment>; untilMs: number }>();

  of(modelId: string): Oddities {
    const fields = this.#fields.get(modelId) ?? NONE;
    const attachments = this.attachmentsOf(modelId);
    return attachments.size === 0 ? fields : new Set([...fields, ...attachments]);
  }

  attachmentsOf(modelId: string): ReadonlySet<Attachment> {
    const refused = this.#attachments.get(modelId);
    if (refused === undefined) return NO_ATTACHMENTS;
    if (refused.untilMs > performance.now()) return refused.kinds;
    this.#attachments.delete(modelId);
    return NO_ATTACHMENTS;
  }

  learn(modelId: string, oddities: Oddities): void {
    const fields = new Set([...oddities].filter((oddity) => oddity !== 'images' && oddity !== 'files'));
    if (this.#fields.has(modelId) || this.#fields.size < MODELS_MAX) this.#fields.set(modelId, fields);
  }

  learnAttachments(modelId: string, kinds: ReadonlySet<Attachment>): void {
    const known = this.attachmentsOf(modelId);
    if (known.size === 0 && this.#attachments.size >= MODELS_MAX) return;
    this.#attachments.set(modelId, {
      kinds: new Set([...known, ...kinds]),
      untilMs: performance.now() + ATTACHMENTS_MS,
    });
  }
}

const NO_ATTACHMENTS: ReadonlySet<Attachment> = new Set();

interface SentOddities {
  limits: readonly TokenLimitName[];
  streamOptions: boolean;
  effort: boolean;
  attachments: ReadonlySet<Attachment>;
}

/**
 * Returns the parts that the next attempt should leave out: the `known` parts and those that the refusal mentions.
 * @param known parts that the refused attempt left out
 * @returns null if the refusal adds nothing to `known`
 */
export function odditiesAfter({ status, body }: UpstreamAnswer, known: Oddities, sent: SentOddities): Oddities | null {
  const found = new Set(known);
  if (ATTACHMENT_STATUSES.has(status))
    for (const kind of refusedAttachments(refusalText(body), sent.attachments)) found.add(kind);
  if (FIELD_STATUSES.has(status)) addRefusedFields(found, refusalText(body), known, sent);
  return found.size > known.size ? found : null;
}

export function refusesResponseFormat({ status, body }: UpstreamAnswer): boolean {
  return FIELD_STATUSES.has(status) && refusalText(body).includes('response_format');
}

function addRefusedFields(found: Set<Oddity>, said: string, known: Oddities, sent: SentOddities): void {
  if (sent.streamOptions && /stream_options|include_usage/.test(said)) found.add('stream_options');
  if (sent.effort && EFFORT_REFUSED.test(said) && !VALUE_REFUSED.test(said)) found.add('reasoning_effort');
  if (TOKEN_LIMIT_NAMES.some((name) => said.includes(name))) {
    const [only] = sent.limits;
    if (sent.limits.length > 1) found.add('two-limits');
    else if (only !== undefined && !TOKEN_LIMIT_NAMES.some((name) => known.has(name))) found.add(only);
  }
}

/** Returns the text of a refusal without its `input` fields, in which FastAPI repeats the request. */
export function refusalText(body: Uint8Array): string {
  const text = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, REFUSAL_BYTES_MAX)).toString('utf8');
  try {
    return JSON.stringify(JSON.parse(text), (key, value: unknown) => (key === 'input' ? undefined : value)) ?? '';
  } catch {
    return text;
  }
}

const BOTH_NAMES: readonly TokenLimitName[] = TOKEN_LIMIT_NAMES;
const NO_NAMES: readonly TokenLimitName[] = [];

/**
 * Returns the names under which to send the token limit. Usually returns both, because many servers ignore one of the
 * two. If the server has refused one name, returns the other. If it has refused both together, returns the caller's.
 */
export function limitNamesFor(request: ChatRequest, isClamped: boolean, oddities: Oddities): readonly TokenLimitName[] {
  if (!isClamped && tokenLimitOf(request) === null) return NO_NAMES;
  if (oddities.size === 0) return BOTH_NAMES;
  if (oddities.has('max_tokens')) return ['max_completion_tokens'];
  if (oddities.has('max_completion_tokens')) return ['max_tokens'];
  if (!oddities.has('two-limits')) return BOTH_NAMES;
  return namedLimitOf(request, 'max_tokens') === null && namedLimitOf(request, 'max_completion_tokens') !== null
    ? ['max_completion_tokens']
    : ['max_tokens'];
}

/** Returns the limit to send in a field: the caller's limit, but at most the reserved tokens. */
export function forwardedLimit(request: ChatRequest, name: TokenLimitName, heldTokens: number): number {
  return Math.min(namedLimitOf(request, name) ?? tokenLimitOf(request) ?? heldTokens, heldTokens);
}
