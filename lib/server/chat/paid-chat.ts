import {
  ALL_FIELDS_HEADER,
  e2eeHeader,
  E2EE_HEADERS,
  ED25519_ENCRYPTION_VERSION,
  ENCLAVE_E2EE_HEADERS,
  encryptsAllFields,
  ENCRYPTION_VERSION_HEADER,
} from '@/lib/protocol/e2ee/headers';
import type { MessageScheme } from '@/lib/protocol/e2ee/request-check';
import { TOKEN_LIMIT_NAMES, type TokenLimitName } from '@/lib/protocol/chat/chat-request';
import { type Attachment, attachmentsIn, withoutAttachments } from '@/lib/protocol/chat/attachments';
import { type TokenUsage, usageText } from '@/lib/protocol/chat/token-usage';
import type { ReplayBody } from '../billing/keeping';
import type { Settled } from '../billing/meter';
import type { PaidCall, Purchase } from '../billing/paid-call';
import { type ChatBudget, costOf, soldUsage, type TokenBounds } from './chat-budget';
import { type ChatBody, withMembers, withMembersOf } from './chat-body';
import type { UpstreamEncryption } from '../config/inference';
import type { ChatModel } from './chat-model';
import { type NativeChat, nativeBodyOf } from './native/native-chat';
import { forwardedLimit, limitNamesFor } from '../upstreams/models/forwarded-limits';
import type { Oddities } from '../upstreams/models/server-oddities';

/** Names the kinds of attachments that the model was not sent. */
export const LEFT_OUT_HEADER = 'x-service-left-out';
/** Before the Idempotency-Keys of chats, whichever way they are encrypted. */
export const CHAT_KEYS = 'chat:';

/** A chat request that is checked. */
export interface CheckedChat {
  body: ChatBody;
  model: ChatModel;
  /** The same model of other upstreams, which may answer in its place. */
  others: readonly ChatModel[];
  /** Whether it is end-to-end encrypted. */
  isEncrypted: boolean;
  /** What its tokens are bounded by, whichever upstream answers. */
  bounds: TokenBounds;
  budget: ChatBudget;
  /** Whether completions are shorter than was asked for. */
  isClamped: boolean;
  /** Whether it came in the form of another API, whose clients send a refused picture again with every turn. */
  isTranslated: boolean;
  /** As it came in the form of another API, which its servers speak; translated or a chat unless given. */
  native?: NativeChat | undefined;
}

/** One whose most is held. */
export interface PaidChat extends CheckedChat {
  paid: PaidCall;
  /** What this attempt leaves out; as the upstream is known to refuse it unless given. */
  oddities?: Oddities;
  /** What the upstream whose turn it is may know of the request's trace; nothing unless given. */
  traceparent?: string | null;
}

/**
 * The bytes for the upstream. Of an attested model they are those that came: its enclave signs their hash. Else the
 * length of completions is told under the names that the server takes, and a stream is asked to say what it took.
 */
export function forwardedBody(chat: PaidChat): Uint8Array {
  if (chat.native) return nativeBodyOf(chat.native, chat.budget.completionTokens);
  const changes = changesOf(chat);
  const body = withoutRefused(chat);
  return Object.keys(changes).length === 0 ? body.bytes : withMembers(body, changes);
}

/** Where its server takes it. */
export function forwardedPath({ native }: PaidChat): string {
  return native ? `/${native.api}` : '/chat/completions';
}

/** What of a request is changed. */
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

/** The attachments of a request that this attempt leaves out. */
export function leftOutOf(chat: PaidChat): ReadonlySet<Attachment> {
  const oddities = odditiesOf(chat);
  if (chat.model.capabilities.supportsTeeAttestation || !(oddities.has('images') || oddities.has('files')))
    return NO_ATTACHMENTS;
  return new Set([...attachmentsIn(chat.body.request.messages)].filter((kind) => oddities.has(kind)));
}

/** Tells the caller what was left out. */
export function leftOutHeader(chat: PaidChat): Record<string, string> {
  const kinds = [...leftOutOf(chat), ...(chat.native?.tools ? ['tools'] : [])];
  return kinds.length === 0 ? {} : { [LEFT_OUT_HEADER]: kinds.sort().join(', ') };
}

/** The names under which this attempt limits completions. */
export function sentLimits(chat: PaidChat): readonly TokenLimitName[] {
  return limitNamesFor(chat.body.request, chat.isClamped, odditiesOf(chat));
}

/** What this attempt leaves out. */
export function odditiesOf({ oddities, model }: PaidChat): Oddities {
  if (oddities) return oddities;
  const learned = model.upstream.oddities.of(model.id);
  if (model.capabilities.supportsVision !== false) return learned;
  return learned.size === 0 ? BLIND : new Set([...learned, ...BLIND]);
}

/** The attachments of a request that a second attempt may do without. The caller of a model that is known to see is told of its fault instead. */
export function dispensableAttachments({ model, body, isTranslated }: PaidChat): ReadonlySet<Attachment> {
  if (model.capabilities.supportsTeeAttestation || (model.capabilities.supportsVision && !isTranslated))
    return NO_ATTACHMENTS;
  return attachmentsIn(body.request.messages);
}

const BLIND: ReadonlySet<Attachment> = new Set(['images', 'files']);
const NO_ATTACHMENTS: ReadonlySet<Attachment> = new Set();

/** The body without what its server refuses. */
export function withoutRefused(chat: PaidChat): ChatBody {
  const oddities = odditiesOf(chat);
  if (oddities.size === 0 || chat.model.capabilities.supportsTeeAttestation) return chat.body;
  const limits: readonly string[] = sentLimits(chat);
  return withMembersOf(chat.body, (name) =>
    (TOKEN_LIMIT_NAMES as readonly string[]).includes(name)
      ? limits.includes(name)
      : name !== 'stream_options' || !oddities.has('stream_options'),
  );
}

/** The headers of an encrypted request under the names that enclaves know. */
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

/** How single messages are encrypted to the enclaves of a kind; null where the whole body is. */
const MESSAGE_SCHEMES: Readonly<Record<UpstreamEncryption, MessageScheme | null>> = {
  ecdsa: 'ecdsa',
  ed25519: 'ed25519',
  ehbp: null,
  'ml-kem-768': null,
};

/** The version that an enclave is told beside the keys; null where it needs none. */
const SCHEME_VERSIONS: Readonly<Record<MessageScheme, string | null>> = {
  ecdsa: null,
  ed25519: ED25519_ENCRYPTION_VERSION,
};

/** How the messages of a chat are encrypted; null where they are not. */
export function schemeOf({ isEncrypted, model }: Pick<PaidChat, 'isEncrypted' | 'model'>): MessageScheme | null {
  return isEncrypted ? MESSAGE_SCHEMES[model.upstream.encryption] : null;
}

/** The tokens of an answer that are sold. Of an attested one they are as its enclave counts them, since the caller is told no others. */
export function soldOf({ model, budget }: CheckedChat, usage: TokenUsage): TokenUsage {
  if (model.capabilities.supportsTeeAttestation) return usage;
  return soldUsage(usage, model.price, budget.maxNanoUsd, budget.promptTokens * budget.attempts);
}

/** What these tokens are bought as. */
export function purchaseOf(chat: CheckedChat, usage: TokenUsage, replayBody: ReplayBody | null = null): Purchase {
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

/** Charges them. Resolves once that is committed. @param replayBody the answer, where it is kept */
export function settleChat(chat: PaidChat, usage: TokenUsage, replayBody: ReplayBody | null = null): Promise<Settled> {
  return chat.paid.settle(purchaseOf(chat, usage, replayBody));
}

/**
 * Keeps what is held of a chat while it runs, and notes what it came to so far, which is charged if this process dies.
 * @param usage what it took until now; nothing that is charged if the process dies, unless given
 * @returns how to stop
 */
export function keepAlive(chat: PaidChat, usage: () => TokenUsage = () => NO_TOKENS): () => void {
  return chat.paid.keepAlive(() => purchaseOf(chat, usage()));
}

export const NO_TOKENS: TokenUsage = { promptTokens: 0, completionTokens: 0 };
