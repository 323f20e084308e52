import { createHash } from 'node:crypto';
import type { ChatRequest } from '@/lib/protocol/chat/chat-request';
import { schemaFaultLead } from '@/lib/protocol/chat/schema-fault-lead';
import { isJsonSchemaFormat, schemaFaults, schemaTree } from '@/lib/protocol/chat/response-format';
import { faultsOf } from '@/lib/protocol/error-tree';
import { type ApiError, apiError, type ErrorTree } from '@/lib/protocol/errors';
import { isE2eeRequest } from '@/lib/protocol/e2ee/headers';
import { refuseE2eeRequest } from '@/lib/protocol/e2ee/request-check';
import type { Awaitable } from '../auth/caller';
import type { PaidCall } from '../billing/paid-call';
import type { PaidService } from '../billing/paid-calls';
import type { Call, Reply } from '../http/call';
import { refuseMisplacedEncryption } from '../http/encryption-headers';
import { requireJson } from '../http/json-body';
import { fieldError } from '../http/validation-error';
import type { Chat, ChatParts } from './chat';
import { type ChatBody, readChatBody } from './chat-body';
import { boundsOf, chatBudget, withinMeans } from './chat-budget';
import type { ChatModel } from './chat-model';
import { complete } from './complete';
import { forwardedFields } from './forwarded-fields';
import { CHAT_KEYS, type CheckedChat, keepAlive, type PaidChat } from './paid-chat';
import type { NativeChat } from './native/native-chat';
import { attemptsOf } from './repair';
import { stream, STREAM_HEADERS } from './stream';
import { readKeptUnfitReply, unfitReplyError } from './unfit-reply';

const SCHEMA_RETRY_SECONDS = 5;
/** Schemes of single messages, whose requests have the same headers. */
const MESSAGE_SCHEMES = ['ecdsa', 'ed25519'] as const;

/** Chats, whole and streamed, plain and encrypted: charged by the tokens that they take. */
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
    bought: ({ model }) => ({ endpoint: 'chat', name: model.id }),
    price: ({ budget }) => ({ maxNanoUsd: budget.maxNanoUsd, maxCredits: 0 }),
    shorten,
    fulfil: async (paid, checked) => {
      const paidChat = paidChatOf(paid, checked);
      await compileFormat(paidChat, chat);
      return checked.body.request.stream ? stream(paidChat, chat) : complete(paidChat, chat);
    },
  };
}

/** An answer that was kept: its events at once, where it was a stream. @throws ApiError REPLY_SCHEMA_MISMATCH where it was that. */
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

/** Checks the body of a chat, and bounds what it can cost. @param isTranslated whether it came in the form of another API. @throws ApiError */
export async function checkChat(
  { call }: PaidCall,
  bytes: Uint8Array,
  { models, config }: Chat,
  isTranslated = false,
): Promise<CheckedChat> {
  const read = readChatBody(bytes);
  const model = await models.find(read.request.model);
  if (!model)
    throw apiError('MODEL_NOT_FOUND', {
      message: `There is no model ${JSON.stringify(read.request.model.slice(0, 100))}.`,
    });
  call.record.ofModel(model);
  checkFormat(read, model);
  const isEncrypted = isE2eeRequest((name) => call.header(name));
  if (isEncrypted) checkEncryption(call, read, model);
  const body = forwardedFields(read, model, config.chatFields);
  const others = models.othersOf(model);
  const bounds = boundsOf(model, others);
  const budget = chatBudget(body, bounds, attemptsOf(body.request, model, config.repairAttempts));
  return { body, model, others, isEncrypted, bounds, budget, isClamped: false, isTranslated };
}

/** Bounds what a request can cost that goes to servers of its own API as it came. */
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
    isTranslated: true,
    native,
  };
}

/** Completions are made shorter, unless the model is one that nothing may be changed for. */
function shorten(
  { body, model, others, isEncrypted, bounds, budget, isTranslated, native }: CheckedChat,
  spendableNanoUsd: number,
): CheckedChat | null {
  if (model.capabilities.supportsTeeAttestation) return null;
  const smaller = withinMeans(budget, spendableNanoUsd, bounds);
  return (
    smaller && { body, model, others, isEncrypted, bounds, budget: smaller, isClamped: true, isTranslated, native }
  );
}

/** Named one by one: every chat passes here, and spreading objects into one another takes ten times as long. */
function paidChatOf(
  paid: PaidCall,
  { body, model, others, isEncrypted, bounds, budget, isClamped, isTranslated, native }: CheckedChat,
): PaidChat {
  return { paid, body, model, others, isEncrypted, bounds, budget, isClamped, isTranslated, native };
}

/** What a schema is to be (specification, "Structured output"), before anything is spent. Takes a bounded time: whoever cannot pay is asked for money after it. */
function checkFormat({ request }: ChatBody, { capabilities }: ChatModel): void {
  const format = request.response_format;
  if (!isJsonSchemaFormat(format)) return;
  if (!capabilities.supportsResponseSchema)
    throw fieldError('response_format', 'This model does not support a response schema (supportsResponseSchema)');
  if (allowsParallelCalls(request))
    throw fieldError(
      'parallel_tool_calls',
      'A response schema cannot be combined with parallel function calls; set it to false (it is true where it is left out)',
    );
  const faults = schemaFaults(format);
  if (faults) throw refuseSchema(faults);
}

/** As OpenAI's API has it, tools may be called in parallel unless the request says no. */
function allowsParallelCalls({ parallel_tool_calls: parallel, tools, tool_choice: choice }: ChatRequest): boolean {
  return parallel ?? ((tools?.length ?? 0) > 0 && choice !== 'none');
}

/** Has the schema compiled, which is for those alone who have paid for what comes after: a schema that cannot be used gives it back. */
async function compileFormat(chat: PaidChat, { replySchemas }: ChatParts): Promise<void> {
  const { paid, body } = chat;
  const format = body.request.response_format;
  if (!isJsonSchemaFormat(format)) return;
  // Whoever has many expensive schemas compiled waits for longer than a hold lasts by itself.
  const stopKeeping = keepAlive(chat);
  try {
    const verdict = await replySchemas.judge(format.json_schema.schema, paid.caller.accountId);
    if (verdict.kind === 'faulty') throw refuseSchema(schemaTree({ _errors: [verdict.fault] }));
    if (verdict.kind === 'busy')
      throw apiError('SCHEMA_BUSY', { headers: { 'retry-after': String(SCHEMA_RETRY_SECONDS) } });
  } finally {
    stopKeeping();
  }
}

/** Clients of OpenAI's API show the sentence alone, so that it names the first fault. */
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
