import {
  ALL_FIELDS_HEADER,
  e2eeHeader,
  E2EE_HEADERS,
  ED25519_ENCRYPTION_VERSION,
  ENCLAVE_E2EE_HEADERS,
  encryptsAllFields,
  ENCRYPTION_VERSION_HEADER,
} from '@/lib/protocol/e2ee/headers';
import type { FormatApi } from '@/lib/protocol/chat/response-format';
import type { MessageScheme } from '@/lib/protocol/e2ee/request-check';
import { TOKEN_LIMIT_NAMES, type TokenLimitName } from '@/lib/protocol/chat/chat-request';
import { type Attachment, attachmentsIn, withoutAttachments } from '@/lib/protocol/chat/attachments';
import { type TokenUsage, usageText } from '@/lib/protocol/chat/token-usage';
import type { ReplayBody } from '../billing/stored-answers';
import type { Settled } from '../billing/meter';
import type { PaidCall, Purchase } from '../billing/paid-call';
import { type ChatBudget, costOf, soldUsage, type TokenBounds } from './chat-budget';
import { type ChatBody, withMembers, withMembersOf } from './chat-body';
import type { UpstreamEncryption } from '../config/inference';
import type { ChatModel } from './chat-model';
import { type NativeChat, nativeBodyOf } from './native/native-chat';
import { forwardedLimit, limitNamesFor, type Oddities } from '../upstreams/models/server-oddities';

export const LEFT_OUT_HEADER = 'x-service-left-out';
/** Prefix for stored Idempotency-Keys of plain and encrypted chats. */
export const CHAT_KEYS = 'chat:';

export interface CheckedChat {
  body: ChatBody;
  model: ChatModel;
  others: readonly ChatModel[];
  isEncrypted: boolean;
  /** Token limits that hold for every upstream of the model. */
  bounds: TokenBounds;
  budget: ChatBudget;
  /** True if completions were shortened because of the caller's balance. */
  isClamped: boolean;
  /**
   * Format of the request. Clients of `responses` and `messages` send a picture again with every turn, even after the
   * model refused it.
   */
  api: FormatApi;
  /** Request in its original form, if the upstream offers the same API. */
  native?: NativeChat | undefined;
}

/** Chat whose maximum cost is reserved. */
export interface PaidChat extends CheckedChat {
  paid: PaidCall;
  /** Optional parts that this attempt leaves out. Default: the parts that the upstream is known to refuse. */
  oddities?: Oddities;
  traceparent?: string | null;
}

/**
 * Returns the bytes to send upstream. An attested model gets the received bytes, because its enclave signs their hash.
 * For other models, sets the token limit under the names that the server accepts, and requests usage in a stream.
 */
export function forwardedBody(chat: PaidChat): Uint8Array {
  if (chat.native) return nativeBodyOf(chat.native, chat.budget.completionTokens);
  const changes = changesOf(chat);
  const body = withoutRefused(chat);
  return Object.keys(changes).length === 0 ? body.bytes : withMembers(body, changes);
}

export function forwardedPath({ native }: PaidChat): string {
  return native ? `/${native.api}` : '/chat/completions';
}

export function changesOf(chat: PaidChat): Record<string, unknown> {
  const {
    body: { request },
    model,
    budget,
  } = chat;
  const changes: Record<string, unknown> = {};
  if (model.capabilities.supportsTeeAttestation) return changes;
  for (const name of sentLimits(chat)) {
    const tokens = forwardedLimit(request, name, budget.completionTokens);
    if (request[name] !== tokens) changes[name] = tokens;
  }
  if (request.stream && !request.stream_options?.include_usage && !odditiesOf(chat).has('stream_options'))
    changes['stream_options'] = { ...request.stream_options, include_usage: true };
  if (leftOutOf(chat).size > 0) changes['messages'] = withoutAttachments(request.messages, odditiesOf(chat));
  return changes;
}

function leftOutOf(chat: PaidChat): ReadonlySet<Attachment> {
  const oddities = odditiesOf(chat);
  if (chat.model.capabilities.supportsTeeAttestation || !(oddities.has('images') || oddities.has('files')))
    return NO_ATTACHMENTS;
  return new Set([...attachmentsIn(chat.body.request.messages)].filter((kind) => oddities.has(kind)));
}

/** Returns the response header that lists the omitted attachments and tools. */
export function leftOutHeader(chat: PaidChat): Record<string, string> {
  const kinds = [...leftOutOf(chat), ...(chat.native?.leftOut ?? [])];
  return kinds.length === 0 ? {} : { [LEFT_OUT_HEADER]: kinds.sort().join(', ') };
}

export function sentLimits(chat: PaidChat): readonly TokenLimitName[] {
  return limitNamesFor(chat.body.request, chat.isClamped, odditiesOf(chat));
}

export function odditiesOf({ oddities, model }: PaidChat): Oddities {
  if (oddities) return oddities;
  const learned = model.upstream.oddities.of(model.id);
  if (model.capabilities.supportsVision !== false) return learned;
  return learned.size === 0 ? BLIND : new Set([...learned, ...BLIND]);
}

/**
 * Returns the kinds of attachment that a second attempt may leave out: none for attested models, nor for chat requests
 * to models that accept pictures.
 */
export function dispensableAttachments({ model, body, api }: PaidChat): ReadonlySet<Attachment> {
  if (model.capabilities.supportsTeeAttestation || (model.capabilities.supportsVision && api === 'chat'))
    return NO_ATTACHMENTS;
  return attachmentsIn(body.request.messages);
}

const BLIND: ReadonlySet<Attachment> = new Set(['images', 'files']);
const NO_ATTACHMENTS: ReadonlySet<Attachment> = new Set();

/** Chat callers see the refusal of their effort themselves. */
export function isEffortDispensable({ body, api }: PaidChat): boolean {
  return api !== 'chat' && typeof body.request.reasoning_effort === 'string';
}

export function withoutRefused(chat: PaidChat): ChatBody {
  const oddities = odditiesOf(chat);
  if (oddities.size === 0 || chat.model.capabilities.supportsTeeAttestation) return chat.body;
  const limits: readonly string[] = sentLimits(chat);
  const others: readonly string[] = (['stream_options', 'reasoning_effort'] as const).filter(
    (name) => oddities.has(name) && (name === 'stream_options' || chat.api !== 'chat'),
  );
  return withMembersOf(chat.body, (name) =>
    (TOKEN_LIMIT_NAMES as readonly string[]).includes(name) ? limits.includes(name) : !others.includes(name),
  );
}

/** Returns request headers: native ones, or encryption headers under the enclaves' names. */
export function forwardedHeaders({ paid: { call }, isEncrypted, model, native }: PaidChat): Record<string, string> {
  if (!isEncrypted) return { ...native?.headers };
  const scheme = MESSAGE_SCHEMES[model.upstream.encryption];
  const version = scheme && SCHEME_VERSIONS[scheme];
  const keys = Object.fromEntries(
    (Object.keys(E2EE_HEADERS) as (keyof typeof E2EE_HEADERS)[]).map((name) => [
      ENCLAVE_E2EE_HEADERS[name],
      e2eeHeader((header) => call.header(header), name) ?? '',
    ]),
  );
  const encryptsAll = encryptsAllFields((header) => call.header(header)) === true;
  return {
    ...keys,
    ...(version !== null && { [ENCRYPTION_VERSION_HEADER]: version }),
    ...(encryptsAll && { [ALL_FIELDS_HEADER]: 'true' }),
  };
}

/** Message scheme for each kind of encryption; null if the whole body is encrypted. */
const MESSAGE_SCHEMES: Readonly<Record<UpstreamEncryption, MessageScheme | null>> = {
  ecdsa: 'ecdsa',
  ed25519: 'ed25519',
  ehbp: null,
  'ml-kem-768': null,
};

/** Header value with the version of each encryption scheme; null if the scheme has no version. */
const SCHEME_VERSIONS: Readonly<Record<MessageScheme, string | null>> = {
  ecdsa: null,
  ed25519: ED25519_ENCRYPTION_VERSION,
};

/** Returns how a chat's messages are encrypted; null if they are plain text. */
export function schemeOf({ isEncrypted, model }: Pick<PaidChat, 'isEncrypted' | 'model'>): MessageScheme | null {
  return isEncrypted ? MESSAGE_SCHEMES[model.upstream.encryption] : null;
}

/** Returns the tokens to charge. For an attested model, returns the enclave's count, which the caller sees. */
export function soldOf({ model, budget }: CheckedChat, usage: TokenUsage): TokenUsage {
  if (model.capabilities.supportsTeeAttestation) return usage;
  return soldUsage(usage, model.price, budget.maxNanoUsd, budget.promptTokens * budget.attempts);
}

function purchaseOf(chat: CheckedChat, usage: TokenUsage, replayBody: ReplayBody | null = null): Purchase {
  const { model, budget } = chat;
  const sold = soldOf(chat, usage);
  return {
    amountNanoUsd: costOf(sold, model, budget.maxNanoUsd),
    credits: 0,
    units: sold.promptTokens + sold.completionTokens,
    resource: `chat/${model.id}`,
    detail: usageText(sold),
    replayBody,
  };
}

/**
 * Charges the tokens. Resolves once the charge is committed.
 *
 * @param replayBody answer to store for repeated calls, if any
 */
export function settleChat(chat: PaidChat, usage: TokenUsage, replayBody: ReplayBody | null = null): Promise<Settled> {
  return chat.paid.settle(purchaseOf(chat, usage, replayBody));
}

/**
 * Renews the hold of a running chat, and writes checkpoints. If this process dies, the last checkpoint is charged.
 * @param usage returns the tokens used so far
 * @returns a function that stops the renewals
 */
export function keepAlive(chat: PaidChat, usage: () => TokenUsage = () => NO_TOKENS): () => void {
  return chat.paid.keepAlive(() => purchaseOf(chat, usage()));
}

export const NO_TOKENS: TokenUsage = { promptTokens: 0, completionTokens: 0 };
