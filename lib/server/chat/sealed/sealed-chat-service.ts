import { createHash } from 'node:crypto';
import { dearestInput, tokenCostNanoUsd } from '@/lib/protocol/chat/token-price';
import type { ToldUsage } from '@/lib/protocol/e2ee/ehbp/usage-metrics';
import { SEALED_MODEL_HEADER } from '@/lib/protocol/e2ee/headers';
import { apiError, requestError } from '@/lib/protocol/errors';
import type { PaidCall } from '../../billing/paid-call';
import type { PaidService } from '../../billing/paid-calls';
import type { Reply } from '../../http/call';
import { refuseMisplacedEncryption } from '../../http/encryption-headers';
import { Failover } from '../../upstreams/models/failover';
import { failureError } from '../../upstreams/models/upstream-error';
import { UpstreamFailed } from '../../upstreams/models/upstream-failure';
import type { Chat, ChatParts } from '../chat';
import type { ChatModel } from '../chat-model';
import { CHAT_KEYS } from '../paid-chat';
import { STREAM_HEADERS } from '../stream';
import { promptOf, sealedPurchase } from './sealed-chat';
import { readKept, type SealedOpening, SealedRelay } from './sealed-relay';
import type { PaidSealedChat, SealedChat, SealedQuestion, SealedScheme } from './sealed-scheme';
import { sealedSchemeOf } from './sealed-schemes';

const CONTENT_TYPE = /^[\w!#$&^.+-]{1,64}\/[\w!#$&^.+-]{1,64}(?:; ?[\w-]{1,32}=[\w-]{1,64})?$/;
/** Where an answer says that nothing was done. */
const QUESTIONS_MAX = 3;

/**
 * Chats whose body is encrypted to the enclave as a whole. The gateway knows the model by a header, and of what is in the
 * body nothing: it holds what the longest answer costs, relays every byte as it came, and charges what is told in the clear
 * that it took, else an estimate from lengths. How a body is encrypted, and where it is sent, is a `SealedScheme`'s.
 */
export function sealedChatService(chat: Chat): PaidService<SealedChat> {
  return {
    caps: 'endpoint',
    repetition: { keyPrefix: CHAT_KEYS, fingerprint: fingerprintOf, replay },
    validate: (paid) => validate(paid, chat),
    bought: ({ servable }) => servable.map(({ id }) => ({ endpoint: 'chat', name: id })),
    price: ({ maxNanoUsd }) => ({ maxNanoUsd, maxCredits: 0 }),
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

async function validate(paid: PaidCall, { models, config }: Chat): Promise<SealedChat> {
  const { call } = paid;
  const scheme = sealedSchemeOf(call);
  if (scheme === null) throw requestError('E2EE_BODY');
  const headers = scheme.headersOf(call);
  const contentType = call.header('content-type') ?? 'application/json';
  if (!CONTENT_TYPE.test(contentType))
    throw apiError('UNSUPPORTED_MEDIA_TYPE', { message: 'The content type of what is encrypted cannot be read.' });
  const id = call.header(SEALED_MODEL_HEADER);
  if (id === null || id === '') throw requestError('EHBP_MODEL');
  const body = await paid.readBody(config.requestBytesMax);
  if (!scheme.isBody(body)) throw requestError(scheme.bodyFault);
  const model = await models.find(id);
  if (!model) throw apiError('MODEL_NOT_FOUND', { message: `There is no model ${JSON.stringify(id.slice(0, 100))}.` });
  const { encryption } = scheme;
  if (model.encryption !== encryption)
    throw requestError(
      'E2EE_MODEL',
      `This model does not take bodies that are encrypted as a whole in this way: its model_spec.encryption is not ${encryption}.`,
    );
  refuseMisplacedEncryption(call, [encryption], scheme.headersFault);
  return {
    scheme,
    model,
    headers,
    contentType,
    body,
    ...mostOf(scheme, scheme.servable(model, models.besidesOf(model)), body),
  };
}

/** What the body can name that nobody here can see is taken for the dearest, and for one completion. */
function mostOf(scheme: SealedScheme, servable: readonly ChatModel[], body: Uint8Array) {
  const most = (of: (model: ChatModel) => number) => servable.reduce((known, model) => Math.max(known, of(model)), 0);
  const dearest = {
    inputNanoUsdPerMillion: most(({ price }) => dearestInput(price).inputNanoUsdPerMillion),
    outputNanoUsdPerMillion: most(({ price }) => price.outputNanoUsdPerMillion),
  };
  const promptTokensMax = scheme.promptTokensMax(
    body.byteLength,
    most(({ contextTokens }) => contextTokens),
  );
  const completionTokensMax = most(({ maxOutputTokens }) => maxOutputTokens);
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
    // Whoever leaves before the answer, but after the prompt was sent, has had the model read it.
    if (error instanceof UpstreamFailed && error.reason === 'gone' && !error.isUnsent)
      await chat.paid.settle(sealedPurchase(chat, promptOf(chat)));
    throw failureError(error);
  } finally {
    stopKeeping();
  }
}

/** An answer that is longer than one completion can be was made all the same, and whoever asked for it pays for what was held. */
async function refuseBeyond(chat: PaidSealedChat, usage: ToldUsage): Promise<never> {
  await chat.paid.settle(sealedPurchase(chat, usage));
  throw apiError('MODEL_ANSWER_INVALID', {
    message:
      'The answer has more tokens than one completion of this model can have, and is not passed on. What was held for it is charged: ask for one completion.',
  });
}

/** Asks, and enters into the upstream's record how it went. Only the enclave that was attested has the key: nobody else is asked. */
async function watched(chat: PaidSealedChat, parts: ChatParts): Promise<SealedOpening> {
  const attempt = new Failover([chat.model], parts.config, parts.log);
  attempt.begin();
  try {
    const opening = await opened(chat, parts);
    if (isAtFault(opening)) attempt.failed();
    else attempt.worked();
    return opening;
  } catch (error) {
    if (!(error instanceof UpstreamFailed) || error.reason === 'gone') attempt.abandoned();
    else attempt.failed();
    throw error;
  }
}

/** Asks, and again where the answer says that nothing was done, a few times. */
async function opened(chat: PaidSealedChat, parts: ChatParts): Promise<SealedOpening> {
  for (let questions = 1; ; questions++) {
    const opening = await open(await chat.scheme.question(chat), chat, parts);
    if (opening.kind !== 'clear' || questions === QUESTIONS_MAX || !chat.scheme.mayAskAgain(opening.answer))
      return opening;
  }
}

/** Whether it is the upstream that did not do what it should. */
function isAtFault(opening: SealedOpening): boolean {
  if (opening.kind === 'clear') return opening.answer.status < 400 || opening.answer.status >= 500;
  return opening.kind === 'sealed' && opening.head.status >= 500;
}

function open({ upstream, request }: SealedQuestion, chat: PaidSealedChat, parts: ChatParts): Promise<SealedOpening> {
  const { firstByteTimeoutMs, idleTimeoutMs } = parts.config;
  return new Promise((resolve, reject) => {
    const handler = new SealedRelay(chat, parts, { resolve, reject });
    // The relay watches the time between two parts, which may be shorter than that until the first.
    upstream.dispatch(
      { ...request, timeoutMs: firstByteTimeoutMs },
      handler,
      Math.max(firstByteTimeoutMs, idleTimeoutMs),
    );
  });
}
