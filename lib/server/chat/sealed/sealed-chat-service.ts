import { createHash } from 'node:crypto';
import { dearestInput, tokenCostNanoUsd } from '@/lib/protocol/chat/token-price';
import type { ToldUsage } from '@/lib/protocol/e2ee/ehbp/usage-metrics';
import { SEALED_MODEL_HEADER } from '@/lib/protocol/e2ee/headers';
import { apiError, requestError } from '@/lib/protocol/errors';
import type { PaidCall } from '../../billing/paid-call';
import type { PaidService } from '../../billing/paid-calls';
import type { Reply } from '../../http/call';
import { refuseMisplacedEncryption } from '../../http/encryption-headers';
import { Failover, isBusy, requireFreeSlots } from '../../upstreams/models/failover';
import { failureError, UpstreamFailed } from '../../upstreams/models/upstream-error';
import type { Chat, ChatParts } from '../chat';
import type { ChatModel } from '../chat-model';
import { CHAT_KEYS } from '../paid-chat';
import { STREAM_HEADERS } from '../stream';
import { promptOf, sealedPurchase } from './sealed-chat';
import { readKept, type SealedOpening, SealedRelay } from './sealed-relay';
import type { PaidSealedChat, SealedChat, SealedUpstreamRequest, SealedScheme, SealedWork } from './sealed-scheme';
import { sealedSchemeOf } from './sealed-schemes';

const CONTENT_TYPE = /^[\w!#$&^.+-]{1,64}\/[\w!#$&^.+-]{1,64}(?:; ?[\w-]{1,32}=[\w-]{1,64})?$/;
/** Maximum attempts per request. The gateway repeats a request only if the answer says that the enclave did nothing. */
const QUESTIONS_MAX = 3;

const CHATS: SealedWork = { type: 'text', endpoint: 'chat', path: '/chat/completions', keyPrefix: CHAT_KEYS };
export const SEALED_EMBEDDINGS: SealedWork = {
  type: 'embedding',
  endpoint: 'embeddings',
  path: '/embeddings',
  keyPrefix: 'sealed-embeddings:',
};

/**
 * Serves chats or embeddings whose whole body is encrypted to the enclave. The gateway sees only the model, which is in
 * a header. The gateway reserves the cost of the longest answer, relays every byte unchanged, and charges the reported
 * usage, or else an estimate from byte lengths.
 */
export function sealedChatService(chat: Chat, work: SealedWork = CHATS): PaidService<SealedChat> {
  return {
    caps: 'endpoint',
    repetition: { keyPrefix: work.keyPrefix, fingerprint: fingerprintOf, replay },
    validate: (paid) => validate(paid, chat, work),
    prices: ({ dearest }) => ({ ...dearest }),
    bought: ({ servable }) => servable.map(({ id }) => ({ endpoint: work.endpoint, name: id })),
    privacyOf: ({ servable }) => chat.privacyOf(servable, true),
    price: ({ maxNanoUsd }) => ({ maxNanoUsd, maxCredits: 0 }),
    requireServable: ({ model }, caller) => requireFreeSlots([model], caller),
    fulfil: (paid, sealed) => relay({ ...sealed, paid }, chat),
  };
}

function fingerprintOf({ model, headers, contentType, body }: SealedChat): string {
  return createHash('sha256')
    .update(`${JSON.stringify([model.id, headers, contentType])}\n`)
    .update(body)
    .digest('hex');
}

async function replay(kept: Uint8Array, paid: PaidCall): Promise<Reply> {
  const { headers, body } = readKept(kept);
  return {
    status: 200,
    headers: {
      ...headers,
      ...STREAM_HEADERS,
      'idempotent-replayed': 'true',
      ...paid.balanceHeader(await paid.spendable()),
    },
    body,
  };
}

async function validate(paid: PaidCall, { models, config }: Chat, work: SealedWork): Promise<SealedChat> {
  const { call } = paid;
  const scheme = sealedSchemeOf(call);
  if (scheme === null) throw requestError('E2EE_BODY');
  const headers = scheme.headersOf(call);
  const contentType = call.header('content-type') ?? 'application/json';
  if (!CONTENT_TYPE.test(contentType))
    throw apiError('UNSUPPORTED_MEDIA_TYPE', { message: 'The content type of the encrypted body is not valid.' });
  const id = call.header(SEALED_MODEL_HEADER);
  if (id === null || id === '') throw requestError('EHBP_MODEL');
  const body = await paid.readBody(config.requestBytesMax);
  if (!scheme.isBody(body)) throw requestError(scheme.bodyFault);
  const model = await models.findOf(work.type, id);
  if (!model)
    throw apiError('MODEL_NOT_FOUND', {
      message: `There is no ${work.type === 'text' ? '' : 'embedding '}model ${JSON.stringify(id.slice(0, 100))}.`,
    });
  const { encryption } = scheme;
  if (model.encryption !== encryption)
    throw requestError(
      'E2EE_MODEL',
      `This model does not accept bodies encrypted with ${encryption}. See the "encryption" of the model in GET /api/v1/models.`,
    );
  refuseMisplacedEncryption(call, [encryption], scheme.headersFault);
  call.record.ofModel(model);
  return {
    scheme,
    work,
    model,
    headers,
    contentType,
    body,
    answerBytesMax: config.answerBytesMax,
    ...mostOf(work, scheme, scheme.servable(model, models.besidesOf(model)), body),
  };
}

function mostOf({ type }: SealedWork, scheme: SealedScheme, servable: readonly ChatModel[], body: Uint8Array) {
  const most = (of: (model: ChatModel) => number) => servable.reduce((known, model) => Math.max(known, of(model)), 0);
  const dearest = {
    inputNanoUsdPerMillion: most(({ price }) => dearestInput(price).inputNanoUsdPerMillion),
    outputNanoUsdPerMillion: most(({ price }) => price.outputNanoUsdPerMillion),
  };
  const isChat = type === 'text';
  // A request for embeddings may have many inputs, each as long as the context.
  const promptTokensMax = scheme.promptTokensMax(
    body.byteLength,
    isChat ? most(({ contextTokens }) => contextTokens) : Infinity,
  );
  const completionTokensMax = isChat ? most(({ maxOutputTokens }) => maxOutputTokens) : 0;
  return {
    servable,
    dearest,
    promptTokensMax,
    completionTokensMax,
    maxNanoUsd: tokenCostNanoUsd({ promptTokens: promptTokensMax, completionTokens: completionTokensMax }, dearest),
  };
}

async function relay(chat: PaidSealedChat, parts: ChatParts): Promise<Reply> {
  const stopKeeping = chat.paid.keepAlive(() =>
    sealedPurchase(chat, { promptTokens: 0, completionTokens: 0, model: null }),
  );
  try {
    const opening = await watched(chat, parts);
    if (opening.kind === 'clear') throw chat.scheme.refusal(opening.answer, chat);
    if (opening.kind === 'beyond') return await refuseBeyond(chat, opening.usage);
    chat.paid.takeOver();
    const { status, headers } = opening.head;
    return {
      status,
      headers: { ...headers, ...STREAM_HEADERS, ...chat.paid.balanceHeader(chat.paid.remainingNanoUsd) },
      body: opening.relay,
    };
  } catch (error) {
    // A client that disconnects after the request was sent pays for the prompt, because the model has read the prompt.
    if (error instanceof UpstreamFailed && error.reason === 'gone' && !error.isUnsent)
      await chat.paid.settle(sealedPurchase(chat, promptOf(chat)));
    throw failureError(error);
  } finally {
    stopKeeping();
  }
}

/**
 * Refuses an answer with more tokens than one completion can have, but charges it, because the enclave generated it.
 */
async function refuseBeyond(chat: PaidSealedChat, usage: ToldUsage): Promise<never> {
  await chat.paid.settle(sealedPurchase(chat, usage));
  throw apiError('MODEL_ANSWER_INVALID', {
    message:
      'The answer has more tokens than one completion of this model can have, so the gateway did not forward it. The reserved amount was charged. Ask for a single completion.',
  });
}

/**
 * Asks the upstream and records the outcome. Only the attested enclave has the private key, so there is no failover.
 */
async function watched(chat: PaidSealedChat, parts: ChatParts): Promise<SealedOpening> {
  const attempt = new Failover([chat.model], parts.config, parts.log);
  attempt.begin();
  try {
    const opening = await opened(chat, parts);
    if (isAtFault(opening)) attempt.failed();
    else attempt.worked();
    return opening;
  } catch (error) {
    if (!(error instanceof UpstreamFailed) || error.reason === 'gone' || isBusy(error)) attempt.abandoned();
    else attempt.failed();
    throw error;
  }
}

async function opened(chat: PaidSealedChat, parts: ChatParts): Promise<SealedOpening> {
  for (let questions = 1; ; questions++) {
    const opening = await ask(chat, parts);
    if (opening.kind !== 'clear' || questions === QUESTIONS_MAX || !chat.scheme.mayAskAgain(opening.answer))
      return opening;
  }
}

function isAtFault(opening: SealedOpening): boolean {
  if (opening.kind === 'clear') return opening.answer.status < 400 || opening.answer.status >= 500;
  return opening.kind === 'sealed' && opening.head.status >= 500;
}

/**
 * Waits for a concurrency slot and then builds the request, because a nonce in the request may expire during a wait.
 */
async function ask(chat: PaidSealedChat, parts: ChatParts): Promise<SealedOpening> {
  const freeSlot = await chat.model.upstream.takeSlot(chat.paid.turn, parts.config.firstByteTimeoutMs);
  let question: SealedUpstreamRequest;
  try {
    question = await chat.scheme.question(chat);
  } catch (error) {
    freeSlot();
    throw error;
  }
  return await open(question, chat, parts, freeSlot);
}

function open(
  { upstream, request }: SealedUpstreamRequest,
  chat: PaidSealedChat,
  parts: ChatParts,
  freeSlot: () => void,
): Promise<SealedOpening> {
  const { firstByteTimeoutMs, idleTimeoutMs } = parts.config;
  return new Promise((resolve, reject) => {
    const handler = new SealedRelay(chat, parts, { resolve, reject });
    // The relay applies `firstByteTimeoutMs` until the answer begins, and `idleTimeoutMs` after that. The connection
    // must allow the longer of these timeouts.
    upstream.dispatch(
      { ...request, timeoutMs: firstByteTimeoutMs },
      handler,
      Math.max(firstByteTimeoutMs, idleTimeoutMs),
      freeSlot,
    );
  });
}
