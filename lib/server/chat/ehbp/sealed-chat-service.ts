import { createHash } from 'node:crypto';
import { EHBP_HEADERS, EHBP_HEADER_NAMES, EHBP_KEY_PROBLEM, isEhbpHeaderValue } from '@/lib/protocol/e2ee/ehbp/ehbp-headers';
import { isFramed } from '@/lib/protocol/e2ee/ehbp/frames';
import { type ToldUsage, USAGE_REQUEST_HEADER } from '@/lib/protocol/e2ee/ehbp/usage-metrics';
import { isE2eeRequest, SEALED_MODEL_HEADER } from '@/lib/protocol/e2ee/headers';
import { apiError, requestError } from '@/lib/protocol/errors';
import { tokenCostNanoUsd } from '@/lib/protocol/chat/token-price';
import type { PaidCall } from '../../billing/paid-call';
import type { PaidService } from '../../billing/paid-calls';
import type { Call, Reply } from '../../http/call';
import type { UpstreamAnswer } from '../../upstreams/models/model-upstream';
import { Failover } from '../../upstreams/models/failover';
import { failureError, refusedError } from '../../upstreams/models/upstream-error';
import { UpstreamFailed } from '../../upstreams/models/upstream-failure';
import type { Chat, ChatParts } from '../chat';
import type { ChatModel } from '../chat-model';
import { STREAM_HEADERS } from '../stream';
import { type PaidSealedChat, promptOf, type SealedChat, type SealedHead, sealedPurchase } from './sealed-chat';
import { readKept, type SealedOpening, SealedRelay } from './sealed-relay';

const CONTENT_TYPE = /^[\w!#$&^.+-]{1,64}\/[\w!#$&^.+-]{1,64}(?:; ?[\w-]{1,32}=[\w-]{1,64})?$/;
const KEY_CONFIG_STATUS = 422;

/** Whether the body of a chat is encrypted as a whole. */
export function isSealedChat(call: Call): boolean {
  return call.header(EHBP_HEADERS.encapsulatedKey) !== null;
}

/**
 * Chats whose body is encrypted to the enclave as a whole (Encrypted HTTP Body Protocol). The gateway knows the model by
 * a header, and of what is in the body nothing: it holds what the longest answer costs, relays every byte as it came, and
 * charges what the enclave's usage headers say, else an estimate from the lengths of frames.
 */
export function sealedChatService(chat: Chat): PaidService<SealedChat> {
  return {
    caps: 'endpoint',
    repetition: { byHeader: false, fingerprint: fingerprintOf, replay },
    validate: (paid) => validate(paid, chat),
    bought: ({ servable }) => servable.map(({ id }) => ({ endpoint: 'chat', name: id })),
    price: ({ maxNanoUsd }) => ({ maxNanoUsd, maxCredits: 0 }),
    fulfil: (paid, sealed) => relay({ ...sealed, paid }, chat),
  };
}

function fingerprintOf({ model, encapsulatedKey, contentType, body }: SealedChat): string {
  return createHash('sha256').update(`${JSON.stringify([model.id, encapsulatedKey, contentType])}\n`).update(body).digest('hex');
}

async function replay(kept: Uint8Array, paid: PaidCall): Promise<Reply> {
  const { head, body } = readKept(kept);
  return { status: 200, headers: { ...headersOf(head), 'idempotent-replayed': 'true', ...paid.balanceHeader(await paid.spendable()) }, body };
}

async function validate(paid: PaidCall, { models, config }: Chat): Promise<SealedChat> {
  const { call } = paid;
  const encapsulatedKey = call.header(EHBP_HEADERS.encapsulatedKey) ?? '';
  if (!isEhbpHeaderValue(encapsulatedKey)) throw requestError('EHBP_KEY');
  if (isE2eeRequest((name) => call.header(name))) throw requestError('EHBP_KEY', `${EHBP_HEADER_NAMES.encapsulatedKey} encrypts the whole body: leave out the headers that encrypt its messages.`);
  const contentType = call.header('content-type') ?? 'application/json';
  if (!CONTENT_TYPE.test(contentType)) throw apiError('UNSUPPORTED_MEDIA_TYPE', { message: 'The content type of what is encrypted cannot be read.' });
  const id = call.header(SEALED_MODEL_HEADER);
  if (id === null || id === '') throw requestError('EHBP_MODEL');
  const body = await paid.readBody(config.requestBytesMax);
  if (!isFramed(body)) throw requestError('EHBP_BODY');
  const model = await models.find(id);
  if (!model) throw apiError('MODEL_NOT_FOUND', { message: `There is no model ${JSON.stringify(id.slice(0, 100))}.` });
  if (!model.capabilities.supportsE2EE || model.upstream.encryption !== 'ehbp') throw requestError('E2EE_MODEL', 'This model does not take bodies that are encrypted as a whole: its model_spec.encryption is not ehbp.');
  return { model, encapsulatedKey: encapsulatedKey.toLowerCase(), contentType, body, ...mostOf(models.besidesOf(model), body) };
}

/**
 * No prompt has more tokens than its request has bytes. Which model of the server the body names, and how many
 * completions it asks for, nobody here can see: it is taken for the dearest and for one, and more are broken off.
 */
function mostOf(servable: readonly ChatModel[], body: Uint8Array) {
  const most = (of: (model: ChatModel) => number) => servable.reduce((known, model) => Math.max(known, of(model)), 0);
  const dearest = { inputNanoUsdPerMillion: most(({ price }) => price.inputNanoUsdPerMillion), outputNanoUsdPerMillion: most(({ price }) => price.outputNanoUsdPerMillion) };
  const promptTokensMax = Math.min(body.byteLength, most(({ contextTokens }) => contextTokens));
  const completionTokensMax = most(({ maxOutputTokens }) => maxOutputTokens);
  return { servable, dearest, promptTokensMax, completionTokensMax, maxNanoUsd: tokenCostNanoUsd({ promptTokens: promptTokensMax, completionTokens: completionTokensMax }, dearest) };
}

async function relay(chat: PaidSealedChat, parts: ChatParts): Promise<Reply> {
  const stopKeeping = chat.paid.keepAlive(() => sealedPurchase(chat, { promptTokens: 0, completionTokens: 0, model: null }));
  try {
    const opening = await watched(chat, parts);
    if (opening.kind === 'clear') throw refusalOf(opening.answer, chat);
    if (opening.kind === 'beyond') return await refuseBeyond(chat, opening.usage);
    chat.paid.takeOver();
    return { status: opening.head.status, headers: { ...headersOf(opening.head), ...chat.paid.balanceHeader(chat.paid.remainingNanoUsd) }, body: opening.relay };
  } catch (error) {
    // Whoever leaves before the answer, but after the prompt was sent, has had the model read it.
    if (error instanceof UpstreamFailed && error.reason === 'gone' && !error.isUnsent) await chat.paid.settle(sealedPurchase(chat, promptOf(chat)));
    throw failureError(error);
  } finally {
    stopKeeping();
  }
}

/** An answer that is longer than one completion can be was made all the same, and whoever asked for it pays for what was held. */
async function refuseBeyond(chat: PaidSealedChat, usage: ToldUsage): Promise<never> {
  await chat.paid.settle(sealedPurchase(chat, usage));
  throw apiError('MODEL_ANSWER_INVALID', { message: 'The answer has more tokens than one completion of this model can have, and is not passed on. What was held for it is charged: ask for one completion.' });
}

/** Asks, and enters into the upstream's record how it went. Only the enclave that was attested has the key: nobody else is asked. */
async function watched(chat: PaidSealedChat, parts: ChatParts): Promise<SealedOpening> {
  const attempt = new Failover([chat.model], parts.config, parts.log);
  attempt.begin();
  try {
    const opening = await open(chat, parts);
    if (isAtFault(opening)) attempt.failed();
    else attempt.worked();
    return opening;
  } catch (error) {
    if (!(error instanceof UpstreamFailed) || error.reason === 'gone') attempt.abandoned();
    else attempt.failed();
    throw error;
  }
}

/** Whether it is the upstream that did not do what it should. */
function isAtFault(opening: SealedOpening): boolean {
  if (opening.kind === 'clear') return opening.answer.status < 400 || opening.answer.status >= 500;
  return opening.kind === 'sealed' && opening.head.status >= 500;
}

function open(chat: PaidSealedChat, parts: ChatParts): Promise<SealedOpening> {
  const { firstByteTimeoutMs, idleTimeoutMs } = parts.config;
  return new Promise((resolve, reject) => {
    const handler = new SealedRelay(chat, parts, { resolve, reject });
    const headers = { 'content-type': chat.contentType, [EHBP_HEADERS.encapsulatedKey]: chat.encapsulatedKey, [USAGE_REQUEST_HEADER]: 'true' };
    // The relay watches the time between two parts, which may be shorter than that until the first.
    chat.model.upstream.dispatch({ method: 'POST', path: '/chat/completions', body: chat.body, headers, timeoutMs: firstByteTimeoutMs }, handler, Math.max(firstByteTimeoutMs, idleTimeoutMs));
  });
}

/** What an enclave, or what stands before it, says in the clear. Nobody has proved it, and it is passed on as what it is: an error. */
function refusalOf(answer: UpstreamAnswer, { model }: PaidSealedChat): Error {
  if (answer.status < 400) return apiError('MODEL_ANSWER_INVALID', { message: 'The enclave answered in the clear what was asked encrypted.' });
  if (answer.status !== KEY_CONFIG_STATUS || !isKeyProblem(answer.body)) return refusedError(answer, model.upstream);
  return apiError('EHBP_KEY_CONFIG', { fields: { type: EHBP_KEY_PROBLEM, title: 'key configuration mismatch' }, headers: { 'content-type': 'application/problem+json' } });
}

function isKeyProblem(body: Buffer): boolean {
  try {
    return (JSON.parse(body.toString('utf8')) as { type?: unknown } | null)?.type === EHBP_KEY_PROBLEM;
  } catch {
    return false;
  }
}

function headersOf({ responseNonce, contentType }: Omit<SealedHead, 'status'>): Record<string, string> {
  return { 'content-type': contentType, [EHBP_HEADERS.responseNonce]: responseNonce, ...STREAM_HEADERS };
}
