import { createHash } from 'node:crypto';
import { apiError } from '@/lib/protocol/errors';
import { isEventStream } from '@/lib/protocol/event-stream/event-stream-reader';
import { parsedRecord } from '@/lib/protocol/json-record';
import { type AnswerHead, eventText } from '@/lib/protocol/translation/answer-translation';
import { BrokenAnswers, conversationText } from '@/lib/protocol/translation/broken-answers';
import { ChatAnswerFault, ChatPieceReader } from '@/lib/protocol/translation/chat-piece';
import { type ChatRequestBody, type Json, record, Untranslatable } from '@/lib/protocol/translation/chat-turns';
import { CollectedAnswer } from '@/lib/protocol/translation/collected-answer';
import { type TranslatedApi, TRANSLATIONS } from '@/lib/protocol/translation/translations';
import { PAYMENT_HEADERS } from '@/lib/protocol/x402/payment-required';
import type { PaidCall } from '../billing/paid-call';
import type { PaidService } from '../billing/paid-calls';
import { bytesOf, isPushBody, type Reply } from '../http/call';
import { refuseMisplacedEncryption } from '../http/encryption-headers';
import { requireJson } from '../http/json-body';
import { pathError } from '../http/validation-error';
import type { Chat } from './chat';
import { readBoundedJson } from './chat-body';
import { isKnownBlind, takesFiles } from './chat-model';
import { chatService, checkChat, checkNative } from './chat-service';
import { NativeBody, nativeChatOf } from './native/native-chat';
import { type CheckedChat, LEFT_OUT_HEADER } from './paid-chat';
import { STREAM_HEADERS } from './stream';
import { TranslatedBody } from './translated-body';

const REPEATING_HEADERS = ['idempotency-key', ...PAYMENT_HEADERS] as const;
const ID_LENGTH = 32;

interface TranslatedRequest {
  request: Json;
  chat: ChatRequestBody;
  /** Parts of the request that the gateway does not send to the model. */
  leftOut: readonly string[];
}

interface TranslatedChat extends TranslatedRequest {
  checked: CheckedChat;
}

/** Serves chats in the format of another API: translates the request into a chat, and the answer back. */
export function translatedChatService(chat: Chat, api: TranslatedApi): PaidService<TranslatedChat> {
  const chats = chatService(chat);
  const { repetition } = chats;
  const broken = new BrokenAnswers();
  return {
    caps: chats.caps,
    repetition: {
      keyPrefix: repetition.keyPrefix,
      // Hashes the request as received, because its translation changes when the gateway learns what the model refuses.
      fingerprint: ({ request }) =>
        createHash('sha256')
          .update(`${api}\n${JSON.stringify(request)}`)
          .digest('hex'),
      replay: async (body, paid, translated) =>
        translatedReply(await repetition.replay(body, paid, translated.checked), paid, translated, api),
    },
    async validate(paid) {
      requireJson(paid.call);
      refuseMisplacedEncryption(paid.call, []);
      const bytes = await paid.readBody(chat.config.requestBytesMax);
      const native = await nativeRequest(bytes, paid, chat, api);
      const translated = native ?? (await translateRequest(bytes, chat, api));
      if (!translated.chat.stream && broken.isRepeated(() => fingerprintOf(paid, translated)))
        throw apiError('ANSWER_BROKEN', { headers: { 'x-should-retry': 'false' } });
      if (native) return native;
      return {
        ...translated,
        checked: await checkChat(paid, Buffer.from(JSON.stringify(translated.chat)), chat, api),
      };
    },
    prices: ({ checked }) => chats.prices?.(checked) ?? {},
    bought: ({ checked }) => chats.bought(checked),
    privacyOf: async ({ checked }) => (await chats.privacyOf?.(checked)) ?? null,
    price: ({ checked }) => chats.price(checked),
    shorten(translated, spendableNanoUsd) {
      const checked = chats.shorten?.(translated.checked, spendableNanoUsd) ?? null;
      return checked && { ...translated, checked };
    },
    requireServable: ({ checked }, caller) => chats.requireServable?.(checked, caller),
    fulfil: async (paid, translated) =>
      translatedReply(await chats.fulfil(paid, translated.checked), paid, translated, api, () =>
        broken.note(fingerprintOf(paid, translated)),
      ),
  };
}

function fingerprintOf({ caller: { accountId, wallet } }: PaidCall, { request }: TranslatedRequest): string {
  return createHash('sha256')
    .update(`${accountId}\n${wallet}\n${conversationText(request)}`)
    .digest('hex');
}

async function nativeRequest(
  bytes: Uint8Array,
  paid: PaidCall,
  chat: Chat,
  api: TranslatedApi,
): Promise<TranslatedChat | null> {
  const { json, members } = readBoundedJson(bytes);
  const request = record(json);
  const { model: id } = request;
  const model = typeof id === 'string' ? await chat.models.findOf('text', id) : null;
  // If a model refuses pictures, the request needs translation, because translation leaves pictures out.
  if (!model?.upstream.apis.has(api) || model.capabilities.supportsTeeAttestation || isKnownBlind(model)) return null;
  const native = translatable(() => nativeChatOf(api, request, { bytes, members }, paid.call));
  return {
    request,
    chat: { model: model.id, messages: [], stream: request['stream'] === true },
    leftOut: [],
    checked: checkNative(paid, native, model, chat),
  };
}

function translatable<T>(translate: () => T): T {
  try {
    return translate();
  } catch (error) {
    throw error instanceof Untranslatable ? untranslatableError(error) : error;
  }
}

/**
 * Translates a request into a chat.
 *
 * @throws ApiError 400 if the request cannot be translated; 404 for an unknown model
 */
export async function translateRequest(
  bytes: Uint8Array,
  { models }: Pick<Chat, 'models'>,
  api: TranslatedApi,
): Promise<TranslatedRequest> {
  const request = record(readBoundedJson(bytes).json);
  const { model: id } = request;
  const model = typeof id === 'string' ? await models.findOf('text', id) : null;
  if (typeof id === 'string' && !model)
    throw apiError('MODEL_NOT_FOUND', { message: `There is no model ${JSON.stringify(id.slice(0, 100))}.` });
  if (model?.capabilities.supportsTeeAttestation) throw apiError('MODEL_NOT_TRANSLATED');
  const leftOut: string[] = [];
  return translatable(() => {
    const chat = TRANSLATIONS[api].chatOf(request, {
      canSee: !(model && isKnownBlind(model)),
      takesFiles: model !== null && takesFiles(model),
      leaveOut: (what) => leftOut.push(what),
      itemOf: () => null,
    });
    return { request, chat, leftOut };
  });
}

function untranslatableError({ message, param, code }: Untranslatable): Error {
  if (param === null) return apiError(code, { message, details: { _errors: [message] } });
  const path = param.split(/[.[\]]+/).filter((step) => step !== '');
  return apiError(code, { message, details: pathError(path, message.replace(/\.$/, '')).details });
}

/** Returns the answer's id. A repeated call gets the same id, so that the answer's bytes are equal. */
function answerId({ call, caller }: PaidCall, request: Json): string {
  const asked = REPEATING_HEADERS.map((name) => call.header(name)).find((value) => value !== null);
  if (asked === undefined) return call.requestId;
  return createHash('sha256')
    .update(`${caller.accountId}\n${asked}\n${JSON.stringify(request)}`)
    .digest('hex')
    .slice(0, ID_LENGTH);
}

/**
 * Translates the answer of a chat, streamed or whole.
 *
 * @param onBroken called if a stream breaks off
 */
function translatedReply(
  reply: Reply,
  paid: PaidCall,
  { request, chat, leftOut: untranslated, checked: { native } }: TranslatedChat,
  api: TranslatedApi,
  onBroken: () => void = () => undefined,
): Reply {
  const { answerOf, eventsOf } = TRANSLATIONS[api];
  const { body } = reply;
  const { [LEFT_OUT_HEADER]: refused } = reply.headers;
  const leftOut =
    refused === undefined ? untranslated : [...untranslated, `${refused}, which the model does not accept`];
  const id = answerId(paid, request);
  const headOf = (created: unknown): AnswerHead => ({
    id,
    createdAtSeconds: typeof created === 'number' ? created : Math.floor(Date.now() / 1_000),
    request,
    chat,
    leftOut,
  });
  if (native)
    return isPushBody(body) ? { ...reply, body: new NativeBody(body, eventsOf(headOf(null)), onBroken) } : reply;
  const asStream = { ...reply.headers, 'content-type': 'text/event-stream', ...STREAM_HEADERS };
  if (isPushBody(body))
    return {
      ...reply,
      headers: asStream,
      body: new TranslatedBody(body, (created) => eventsOf(headOf(created)), onBroken),
    };
  if (body === null || body instanceof ReadableStream)
    throw new Error('A chat must be answered with bytes or a pushed stream.');
  // A whole answer has limited size, so its function calls need no limit (`Infinity`).
  if (isEventStream(reply.headers['content-type']))
    return {
      ...reply,
      headers: asStream,
      body: TranslatedBody.whole(bytesOf(body), (created) => eventsOf(headOf(created), Infinity)),
    };
  const completion = parsedRecord(Buffer.from(bytesOf(body)).toString('utf8'));
  const pieces = wholePieces(completion);
  const head = headOf(completion?.['created']);
  if (!chat.stream) {
    const answer = new CollectedAnswer(id, Infinity);
    for (const piece of pieces) answer.add(piece);
    return { ...reply, body: JSON.stringify(answerOf(head, answer)) };
  }
  const events = eventsOf(head, Infinity);
  return {
    ...reply,
    headers: asStream,
    body: [...events.begin(), ...pieces.flatMap((piece) => events.push(piece)), ...events.end()]
      .map(eventText)
      .join(''),
  };
}

function wholePieces(completion: Json | null): ReturnType<ChatPieceReader['read']> {
  try {
    return new ChatPieceReader().read(completion, 'message');
  } catch (error) {
    throw error instanceof ChatAnswerFault ? apiError('MODEL_ANSWER_INVALID', { message: error.message }) : error;
  }
}
