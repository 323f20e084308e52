import { chatField, NO_TOKEN_LIMIT, type ChatRequest } from '@/lib/protocol/chat/chat-request';
import { enclaveFieldFault, innerFieldFault, plainFieldFault } from '@/lib/protocol/chat/field-check';
import { shapeFault } from '@/lib/protocol/chat/message-shape';
import {
  FORMAT_PATHS,
  type FormatApi,
  isJsonSchemaFormat,
  schemaFaults,
  schemaTree,
  sentFormat,
} from '@/lib/protocol/chat/response-format';
import { schemaFaultLead } from '@/lib/protocol/chat/schema-fault-lead';
import { isE2eeRequest } from '@/lib/protocol/e2ee/headers';
import { refuseE2eeRequest } from '@/lib/protocol/e2ee/request-check';
import { faultsOf } from '@/lib/protocol/error-tree';
import { type ApiError, apiError, type ErrorTree } from '@/lib/protocol/errors';
import { createHash } from 'node:crypto';
import type { Awaitable } from '../auth/caller';
import type { PaidCall } from '../billing/paid-call';
import type { PaidService } from '../billing/paid-calls';
import type { Call, Reply } from '../http/call';
import { refuseMisplacedEncryption } from '../http/encryption-headers';
import { requireJson } from '../http/json-body';
import { fieldError, pathError } from '../http/validation-error';
import type { Chat, ChatParts } from './chat';
import { type ChatBody, readBoundedJson, readChatBody, withMembers, withMembersOf } from './chat-body';
import { boundsOf, chatBudget, withinMeans } from './chat-budget';
import type { ChatModel } from './chat-model';
import { complete } from './complete';
import type { NativeChat } from './native/native-chat';
import { CHAT_KEYS, type CheckedChat, keepAlive, type PaidChat } from './paid-chat';
import { attemptsOf, readKeptUnfitReply, unfitReplyError } from './repair';
import { stream, STREAM_HEADERS } from './stream';
import { requireFreeSlots } from '../upstreams/models/failover';

const SCHEMA_RETRY_SECONDS = 5;
/** Schemes that encrypt each message separately. Both schemes use the same request headers. */
const MESSAGE_SCHEMES = ['ecdsa', 'ed25519'] as const;

/** Serves chats: whole or streamed, in plain text or with encrypted messages. Charges per token. */
export function chatService(chat: Chat): PaidService<CheckedChat> {
  return {
    caps: 'endpoint',
    repetition: {
      keyPrefix: CHAT_KEYS,
      fingerprint: ({ body, isEncrypted }) =>
        createHash('sha256')
          .update(isEncrypted ? 'encrypted\n' : '')
          .update(body.bytes)
          .digest('hex'),
      replay,
    },
    validate: async (paid) => checkChat(paid, await readChat(paid, chat), chat),
    prices: ({ model }) => ({ ...model.price }),
    bought: ({ model }) => ({ endpoint: 'chat', name: model.id }),
    privacyOf: ({ model, others, isEncrypted }) => chat.privacyOf([model, ...others], isEncrypted),
    price: ({ budget }) => ({ maxNanoUsd: budget.maxNanoUsd, maxCredits: 0 }),
    shorten,
    requireServable: ({ model, others }, caller) => requireFreeSlots([model, ...others], caller),
    fulfil: async (paid, checked) => {
      const paidChat = paidChatOf(paid, checked);
      await compileFormat(paidChat, chat);
      return checked.body.request.stream ? stream(paidChat, chat) : complete(paidChat, chat);
    },
  };
}

/**
 * Sends a stored answer again. A stored stream is sent all at once.
 * @throws ApiError REPLY_SCHEMA_MISMATCH if the stored answer is that error
 */
async function replay(body: Uint8Array, paid: PaidCall, { body: { request } }: CheckedChat): Promise<Reply> {
  const unfit = readKeptUnfitReply(body);
  if (unfit)
    throw unfitReplyError(unfit, { 'idempotent-replayed': 'true', ...paid.balanceHeader(await paid.spendable()) });
  const type = request.stream
    ? { 'content-type': 'text/event-stream', ...STREAM_HEADERS }
    : { 'content-type': 'application/json' };
  return {
    status: 200,
    headers: { ...type, 'idempotent-replayed': 'true', ...paid.balanceHeader(await paid.spendable()) },
    body,
  };
}

function readChat(paid: PaidCall, { config }: Chat): Awaitable<Uint8Array> {
  requireJson(paid.call);
  refuseMisplacedEncryption(paid.call, isE2eeRequest((name) => paid.header(name)) ? MESSAGE_SCHEMES : []);
  return paid.readBody(config.requestBytesMax);
}

/** Checks the body of a chat, and limits its cost. @throws ApiError */
export async function checkChat(
  { call }: PaidCall,
  bytes: Uint8Array,
  { models, config }: Chat,
  api: FormatApi = 'chat',
): Promise<CheckedChat> {
  const read = readChatBody(bytes);
  const model = await models.findOf('text', read.request.model);
  if (!model)
    throw apiError('MODEL_NOT_FOUND', {
      message: `There is no model ${JSON.stringify(read.request.model.slice(0, 100))}.`,
    });
  call.record.ofModel(model);
  checkFormat(read, model, api);
  const isEncrypted = isE2eeRequest((name) => call.header(name));
  if (isEncrypted) checkEncryption(call, read, model);
  const body = forwardedFields(withSentFormat(read, api), model, config.chatFields);
  const others = models.othersOf(model);
  const bounds = boundsOf(model, others);
  const budget = chatBudget(body, bounds, attemptsOf(body.request, model, config.repairAttempts));
  return { body, model, others, isEncrypted, bounds, budget, isClamped: false, api };
}

export function checkNative({ call }: PaidCall, native: NativeChat, model: ChatModel, { models }: Chat): CheckedChat {
  call.record.ofModel(model);
  const others = models.othersOf(model).filter(({ upstream }) => upstream.apis.has(native.api));
  const bounds = boundsOf(model, others);
  return {
    body: native.body,
    model,
    others,
    isEncrypted: false,
    bounds,
    budget: chatBudget(native.body, bounds),
    isClamped: false,
    api: native.api,
    native,
  };
}

/**
 * Shortens completions to the tokens that the caller can pay for. Returns null for an attested model, whose request must
 * not change.
 */
function shorten(
  { body, model, others, isEncrypted, bounds, budget, api, native }: CheckedChat,
  spendableNanoUsd: number,
): CheckedChat | null {
  if (model.capabilities.supportsTeeAttestation) return null;
  const smaller = withinMeans(budget, spendableNanoUsd, bounds);
  return smaller && { body, model, others, isEncrypted, bounds, budget: smaller, isClamped: true, api, native };
}

/** Copies each field by name, because object spread takes ten times as long, and every chat makes this copy. */
function paidChatOf(
  paid: PaidCall,
  { body, model, others, isEncrypted, bounds, budget, isClamped, api, native }: CheckedChat,
): PaidChat {
  return { paid, body, model, others, isEncrypted, bounds, budget, isClamped, api, native };
}

/**
 * Checks the response schema before anything is spent (specification, "Structured output"). The check must take bounded
 * time, because it also runs for callers who cannot pay.
 */
function checkFormat({ request }: ChatBody, { capabilities }: ChatModel, api: FormatApi): void {
  const format = request.response_format;
  if (!isJsonSchemaFormat(format)) return;
  if (!capabilities.supportsResponseSchema)
    throw pathError(FORMAT_PATHS[api], 'This model does not support a response schema (supportsResponseSchema)');
  if (allowsParallelCalls(request))
    throw fieldError(
      'parallel_tool_calls',
      'A response schema cannot be combined with parallel function calls; set parallel_tool_calls to false (the default is true)',
    );
  const faults = schemaFaults(format, api);
  if (faults) throw refuseSchema(faults);
}

function withSentFormat(body: ChatBody, api: FormatApi): ChatBody {
  const format = body.request.response_format;
  if (api !== 'messages' || !isJsonSchemaFormat(format)) return body;
  const bytes = withMembers(body, { response_format: sentFormat(format) });
  return { ...body, bytes, members: readBoundedJson(bytes).members };
}

/** Returns whether the model may call several functions in parallel. The default is true, as in OpenAI's API. */
function allowsParallelCalls({ parallel_tool_calls: parallel, tools, tool_choice: choice }: ChatRequest): boolean {
  return parallel ?? ((tools?.length ?? 0) > 0 && choice !== 'none');
}

/** Compiles the response schema. Runs after admission, so that only callers who can pay use the compiler. */
async function compileFormat(chat: PaidChat, { replySchemas }: ChatParts): Promise<void> {
  const { paid, body, api } = chat;
  const format = body.request.response_format;
  if (!isJsonSchemaFormat(format)) return;
  // Renews the hold, because the schemas of one caller wait for each other, possibly longer than the hold's lease.
  const stopKeeping = keepAlive(chat);
  try {
    const verdict = await replySchemas.judge(format.json_schema.schema, paid.caller.accountId);
    if (verdict.kind === 'faulty') throw refuseSchema(schemaTree({ _errors: [verdict.fault] }, api));
    if (verdict.kind === 'busy')
      throw apiError('SCHEMA_BUSY', { headers: { 'retry-after': String(SCHEMA_RETRY_SECONDS) } });
  } finally {
    stopKeeping();
  }
}

/** The message includes only the first fault. OpenAI's clients show the message but not the details. */
function refuseSchema(details: ErrorTree): ApiError {
  const [first, ...more] = faultsOf(details);
  const others =
    more.length === 0 ? '' : ` ${more.length} more ${more.length === 1 ? 'fault' : 'faults'} in "details".`;
  const path = first?.path.replace(/\s+/g, ' ').slice(0, 300);
  const reason = first?.message.replace(/\s+/g, ' ').replace(/[.!?]$/, '');
  return apiError('INVALID_REQUEST', {
    message: `${schemaFaultLead(first?.message ?? '')}: ${path}: ${reason}.${others}`,
    details,
  });
}

function checkEncryption(call: Call, { request }: ChatBody, { encryption }: ChatModel): void {
  const refusal = refuseE2eeRequest({ header: (name) => call.header(name), body: request, encryption });
  if (refusal) throw apiError(refusal.code, { message: refusal.message, details: { _errors: [refusal.message] } });
}

/**
 * Returns the body to send upstream. A model without attestation gets only known fields and the fields that
 * `inference.chatFields` lists. An attested model gets every byte. For an attested model, refuses fields that parsers
 * may interpret differently, and fields that ask for more output than is reserved.
 * @throws ApiError 400 that names the field
 */
function forwardedFields(body: ChatBody, { capabilities }: ChatModel, further: ReadonlySet<string>): ChatBody {
  const { request, members } = body;
  const isKept = capabilities.supportsTeeAttestation;
  const fault =
    (isKept ? enclaveFieldFault(request, members.keys(), further) : plainFieldFault(request)) ??
    innerFieldFault(request) ??
    shapeFault(request);
  if (fault) throw pathError(fault.path, fault.message);
  return isKept
    ? body
    : withMembersOf(
        body,
        (name) => further.has(name) || (chatField(name)?.plain === 'sent' && !isNoLimit(request, name)),
      );
}

function isNoLimit(request: ChatRequest, name: string): boolean {
  return (name === 'max_tokens' || name === 'max_completion_tokens') && request[name] === NO_TOKEN_LIMIT;
}
