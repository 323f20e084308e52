import type { ChatRequest } from '@/lib/protocol/chat/chat-request';
import { isJsonSchemaFormat, schemaFaults, schemaTree } from '@/lib/protocol/chat/response-format';
import { faultsOf } from '@/lib/protocol/error-tree';
import { type ApiError, apiError, type ErrorTree, isApiError } from '@/lib/protocol/errors';
import { isE2eeRequest } from '@/lib/protocol/e2ee/headers';
import { refuseE2eeRequest } from '@/lib/protocol/e2ee/request-check';
import { notAdmitted, reserveFor, spendableOf, tooLittle } from '../../billing/charge';
import { identify, type IdentifiedCaller } from '../../auth/identify';
import { limitCaller } from '../../auth/identify-reader';
import type { Gateway } from '../../gateway';
import type { Call } from '../../http/call';
import type { Endpoint } from '../../http/endpoint';
import { requireJson } from '../../http/json-body';
import { fieldError } from '../../http/validation-error';
import { boundsOf, chatBudget, type ChatBudget, withinMeans } from '../../chat/chat-budget';
import { type ChatBody, readChatBody } from '../../chat/chat-body';
import type { ChatModel } from '../../chat/chat-model';
import { complete } from '../../chat/complete';
import { keepNoted } from '../../chat/keep-noted';
import type { PaidChat } from '../../chat/paid-chat';
import { attemptsOf } from '../../chat/repair';
import { forwardedFields } from '../../chat/forwarded-fields';
import { stream } from '../../chat/stream';
import { chatDocs } from './docs';

/** Read of a wallet that cannot pay, so as to tell it the price. */
const UNPAID_BYTES_MAX = 65_536;
const SCHEMA_RETRY_SECONDS = 5;

/** POST /chat/completions: OpenAI-compatible chat, charged by the tokens that it takes. */
export const chatCompletions: Endpoint = {
  path: '/api/v1/chat/completions',
  docs: { POST: chatDocs },
  POST: async (call, gateway) => {
    const caller = await identify(call, gateway);
    limitCaller(caller, gateway);
    const chat = await validate(call, gateway, caller);
    const paid = await reserve(call, chat, gateway, caller);
    await compileFormat(paid, gateway);
    return chat.body.request.stream ? stream(paid, gateway) : complete(paid, gateway);
  },
};

interface ChatCall {
  body: ChatBody;
  model: ChatModel;
  others: readonly ChatModel[];
  isEncrypted: boolean;
}

async function validate(call: Call, gateway: Gateway, caller: IdentifiedCaller): Promise<ChatCall> {
  const spendableNanoUsd = await spendableOf(caller, gateway);
  // A wallet is told what the call costs, for which it has to be read.
  if (spendableNanoUsd <= 0 && caller.wallet === null) throw tooLittle(spendableNanoUsd, caller, null, call, gateway);
  requireJson(call);
  const read = readChatBody(spendableNanoUsd > 0 ? await call.readBody(gateway.config.inference.requestBytesMax) : await readUnpaid(call, gateway, caller));
  const model = await gateway.inference.models.find(read.request.model);
  if (!model) throw apiError('MODEL_NOT_FOUND', { message: `There is no model ${JSON.stringify(read.request.model.slice(0, 100))}.` });
  checkFormat(read, model);
  const isEncrypted = isE2eeRequest((name) => call.header(name));
  if (isEncrypted) checkEncryption(call, read, model);
  const body = forwardedFields(read, model, gateway.config.inference.chatFields);
  return { body, model, others: gateway.inference.models.othersOf(model), isEncrypted };
}

/** @throws ApiError 402 without a price where the body is too long to be read for nothing. */
async function readUnpaid(call: Call, gateway: Gateway, caller: IdentifiedCaller): Promise<Uint8Array> {
  try {
    return await call.readBody(Math.min(UNPAID_BYTES_MAX, gateway.config.inference.requestBytesMax));
  } catch (error) {
    throw isApiError(error) && error.code === 'BODY_TOO_LARGE' ? tooLittle(0, caller, null, call, gateway) : error;
  }
}

/** What a schema is to be (specification, "Structured output"), before anything is spent. Takes a bounded time: whoever cannot pay is asked for money after it. */
function checkFormat({ request }: ChatBody, { capabilities }: ChatModel): void {
  const format = request.response_format;
  if (!isJsonSchemaFormat(format)) return;
  if (!capabilities.supportsResponseSchema) throw fieldError('response_format', 'This model does not support a response schema (supportsResponseSchema)');
  if (allowsParallelCalls(request)) throw fieldError('parallel_tool_calls', 'A response schema cannot be combined with parallel function calls; set it to false (it is true where it is left out)');
  const faults = schemaFaults(format);
  if (faults) throw refuseSchema(faults);
}

/** As OpenAI's API has it, tools may be called in parallel unless the request says no. */
function allowsParallelCalls({ parallel_tool_calls: parallel, tools, tool_choice: choice }: ChatRequest): boolean {
  return parallel ?? ((tools?.length ?? 0) > 0 && choice !== 'none');
}

/** Has the schema compiled, which is for those alone who have paid for what comes after: a schema that cannot be used gives it back. */
async function compileFormat(chat: PaidChat, gateway: Gateway): Promise<void> {
  const { caller, body, reservation } = chat;
  const { inference, meter } = gateway;
  const format = body.request.response_format;
  if (!isJsonSchemaFormat(format)) return;
  // Whoever has many expensive schemas compiled waits for longer than a hold lasts by itself.
  const stopNoting = keepNoted(chat, gateway);
  try {
    const verdict = await inference.replySchemas.judge(format.json_schema.schema, caller.accountId);
    if (verdict.kind === 'faulty') throw refuseSchema(schemaTree({ _errors: [verdict.fault] }));
    if (verdict.kind === 'busy') throw apiError('SCHEMA_BUSY', { headers: { 'retry-after': String(SCHEMA_RETRY_SECONDS) } });
  } catch (error) {
    await meter.release(reservation);
    throw error;
  } finally {
    stopNoting();
  }
}

/** Clients of OpenAI's API show the sentence alone, so that it names the first fault. */
function refuseSchema(details: ErrorTree): ApiError {
  const [first, ...more] = faultsOf(details);
  const others = more.length === 0 ? '' : ` ${more.length} more ${more.length === 1 ? 'fault' : 'faults'} in "details".`;
  const path = first?.path.replace(/\s+/g, ' ').slice(0, 300);
  const reason = first?.message.replace(/\s+/g, ' ').replace(/[.!?]$/, '');
  return apiError('INVALID_REQUEST', { message: `The response schema is not strict, as it has to be: ${path}: ${reason}.${others}`, details });
}

function checkEncryption(call: Call, { request }: ChatBody, { capabilities }: ChatModel): void {
  const refusal = refuseE2eeRequest({ header: (name) => call.header(name), body: request, modelSupportsE2ee: capabilities.supportsE2EE });
  if (refusal) throw apiError(refusal.code, { message: refusal.message, details: { _errors: [refusal.message] } });
}

/** Holds the most that the chat can cost. Where there is less, completions are made shorter, unless the model is one that nothing may be changed for. */
async function reserve(call: Call, chat: ChatCall, gateway: Gateway, caller: IdentifiedCaller): Promise<PaidChat> {
  const bounds = boundsOf(chat.model, chat.others);
  const whole = chatBudget(chat.body, bounds, attemptsOf(chat.body.request, chat.model, gateway.config.inference.repairAttempts));
  const first = await hold(whole, gateway, caller);
  if (first.outcome === 'admitted') return paidChat(chat, call, caller, whole, first);
  if (first.outcome === 'replayed') throw new Error('A chat has no idempotency key.');
  const { refusal } = first;
  const smaller = refusal.reason === 'balance' && !chat.model.capabilities.supportsTeeAttestation ? withinMeans(whole, refusal.spendableNanoUsd, bounds) : null;
  if (!smaller) throw notAdmitted(refusal, caller, whole.maxNanoUsd, call, gateway);
  const second = await hold(smaller, gateway, caller);
  if (second.outcome === 'admitted') return { ...paidChat(chat, call, caller, smaller, second), isClamped: true };
  if (second.outcome === 'replayed') throw new Error('A chat has no idempotency key.');
  throw notAdmitted(second.refusal, caller, smaller.maxNanoUsd, call, gateway);
}

/** Named one by one: every chat passes here, and spreading objects into one another takes ten times as long. */
function paidChat({ body, model, others, isEncrypted }: ChatCall, call: Call, caller: IdentifiedCaller, budget: ChatBudget, { reservation, remainingNanoUsd }: Pick<PaidChat, 'reservation' | 'remainingNanoUsd'>): PaidChat {
  return { call, caller, body, model, others, isEncrypted, budget, isClamped: false, reservation, remainingNanoUsd };
}

function hold({ maxNanoUsd }: ChatBudget, gateway: Gateway, caller: IdentifiedCaller) {
  return reserveFor(caller, { maxNanoUsd, maxCredits: 0, uncapped: true, idempotency: null, now: gateway.now() }, gateway);
}
