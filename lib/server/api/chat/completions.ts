import { z } from 'zod';
import { chatRequestSchema } from '@/lib/protocol/chat/chat-request';
import { ENCRYPTION_HEADERS } from '@/lib/protocol/e2ee/encryption-headers';
import { refusedRequestSchema, standardErrorSchema } from '@/lib/protocol/error-bodies';
import type { Operation } from '../../http/operation';
import { IDEMPOTENCY_KEY_PARAMETER, KEPT_ANSWER_HEADERS } from '../openapi/idempotency';
import { MODEL_REFUSALS, RATE_LIMIT_HEADERS } from '../openapi/refusals';
import type { PaidCalls } from '../../billing/paid-calls';
import type { Chat } from '../../chat/chat';
import { chatService } from '../../chat/chat-service';
import { sealedChatService } from '../../chat/sealed/sealed-chat-service';
import { sealedSchemeOf } from '../../chat/sealed/sealed-schemes';
import type { Endpoint, Route } from '../../http/endpoint';

/** Whatever else a model says of its completion is handed on. */
const completion = z
  .looseObject({
    id: z.string().optional(),
    choices: z.array(
      z.looseObject({
        message: z.looseObject({ role: z.string().optional(), content: z.unknown().optional() }).optional(),
      }),
    ),
    usage: z.looseObject({ prompt_tokens: z.number(), completion_tokens: z.number() }).nullish(),
  })
  .meta({ id: 'ChatCompletion' });

const COMPLETION_EXAMPLE = {
  id: 'chatcmpl-5f0c2a71',
  object: 'chat.completion',
  created: 1795487400,
  model: 'guide',
  choices: [
    { index: 0, message: { role: 'assistant', content: 'Stake, sign a token, and send it.' }, finish_reason: 'stop' },
  ],
  usage: { prompt_tokens: 9, completion_tokens: 10, total_tokens: 19 },
};

const STREAM_EXAMPLE = [
  'data: {"id":"chatcmpl-5f0c2a71","object":"chat.completion.chunk","created":1795487400,"model":"guide","choices":[{"index":0,"delta":{"role":"assistant","content":"Stake"},"finish_reason":null}]}',
  'data: {"id":"chatcmpl-5f0c2a71","object":"chat.completion.chunk","created":1795487400,"model":"guide","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
  'data: [DONE]',
  '',
].join('\n\n');

/** POST /chat/completions in the API description. */
export const chatDocs: Operation = {
  id: 'chat',
  tag: 'Chat',
  sale: {
    mediaType: 'application/json',
    keywords: ['chat', 'llm', 'inference', 'private', 'openai'],
    price: 'By the tokens of prompt and answer, at the prices of the model in GET /models.',
  },
  summary: 'Complete a chat, streamed or whole',
  description: [
    'OpenAI-compatible.',
    'Price: the tokens that the model counts, at the prices of GET /models. The most that the request can cost is held while it runs. Where the balance covers less than that, max_tokens is lowered to what it covers; requests to attested models (supportsTeeAttestation) are never changed, and need a balance that covers the most.',
    'Fields that are not listed here: attested models get the body byte for byte, and a field that limits or multiplies what is generated, or that another decoder reads as a listed one, is refused with 400. Other models are not sent them.',
    'Encrypted messages: with any of the three X-Service-TEE headers below, user and system contents must be ciphertext, for a model with supportsE2EE. With "ed25519" for the algorithm and X-Encryption-Version: 2 the same goes for a model whose model_spec.encryption is ed25519. X-Encrypt-All-Fields: true has the enclave encrypt log probabilities, refusals and tool calls too; without it a request for logprobs is refused with 400, since they would come in the clear.',
    'Headers of an encryption (model_spec.encryptionHeaders names them) are never ignored: beside a plain chat, or one that is encrypted in another way, they are 400.',
    'A body encrypted as a whole: with Ehbp-Encapsulated-Key it is frames of ciphertext, for a model whose model_spec.encryption is ehbp, named by X-Service-TEE-Model. So is the answer, under Ehbp-Response-Nonce. It is charged by the usage that the enclave tells in the clear, else by an estimate from its length at the price of the dearest model of that server, and needs a balance that covers the longest answer at that price.',
    'A body encrypted to one instance: with X-Service-TEE-Instance it is encrypted to the ML-KEM-768 key of that instance, for a model whose model_spec.encryption is ml-kem-768. X-E2E-Stream says whether the answer is to be streamed. It is charged by the usage that stands in the clear in a stream, else by an estimate from its length, and needs a balance that covers a full context and the longest answer.',
  ].join('\n\n'),
  credentials: ['apiKey', 'signInWithX'],
  parameters: [
    IDEMPOTENCY_KEY_PARAMETER,
    ...ENCRYPTION_HEADERS.filter(({ schemes }) => schemes.length > 0).map(({ names: [name, ...others], text }) => ({
      name,
      in: 'header' as const,
      required: false,
      description: others.length === 0 ? text : `${text}. Also read as ${others.join(', ')}`,
      schema: z.string(),
    })),
  ],
  body: {
    schema: chatRequestSchema,
    examples: {
      plain: { model: 'guide', messages: [{ role: 'user', content: 'How do I mint an API key?' }], max_tokens: 200 },
      streamed: {
        model: 'guide',
        messages: [{ role: 'user', content: 'How do I mint an API key?' }],
        max_tokens: 200,
        stream: true,
      },
    },
  },
  responses: {
    200: {
      description: 'The completion; with "stream": true server-sent events of chunks, the last of them [DONE]',
      schema: completion,
      examples: { whole: COMPLETION_EXAMPLE },
      media: [{ type: 'text/event-stream', example: STREAM_EXAMPLE }],
      headers: {
        'X-Balance-Remaining':
          'What the wallet has prepaid after this request, on a stream what it has beside what is held, in USD to 6 decimal places; only where a wallet signed in',
        'X-Service-Left-Out':
          'Kinds of attachments that the model does not take, and that a line of text stands for: images, files',
        ...KEPT_ANSWER_HEADERS,
      },
    },
    400: {
      description:
        'The request is not valid, its schema is no strict one, its content is not encrypted, or the model refuses it. REPLY_SCHEMA_MISMATCH: the reply of the model does not fit the schema; its tokens are charged, and stand in usage; it is in details.reply',
      schema: refusedRequestSchema,
      codes: [
        'REPLY_SCHEMA_MISMATCH',
        'IDEMPOTENCY_KEY_REUSED',
        'E2EE_HEADERS',
        'EHBP_KEY',
        'EHBP_MODEL',
        'EHBP_BODY',
        'E2EE_INSTANCE',
        'E2EE_BODY',
        'MODEL_REFUSED',
      ],
    },
    ...MODEL_REFUSALS,
    429: {
      description:
        'Too many requests of this caller in a minute, or a request under an Idempotency-Key whose first one is running still',
      schema: standardErrorSchema,
      codes: ['MINUTE_CAP', 'CONCURRENT_CALL'],
      headers: RATE_LIMIT_HEADERS,
    },
    404: {
      description: 'There is no such model (MODEL_NOT_FOUND)',
      schema: standardErrorSchema,
      codes: ['MODEL_NOT_FOUND'],
    },
    422: {
      description: 'The body was encrypted to a key that the enclave does not have, or to an instance that is gone',
      schema: standardErrorSchema,
      codes: ['EHBP_KEY_CONFIG', 'E2EE_INSTANCE_GONE'],
    },
    502: {
      description: 'The answer of the model cannot be read',
      schema: standardErrorSchema,
      codes: ['MODEL_ANSWER_INVALID'],
    },
    503: {
      description: 'The model is away or busy, or the gateway cannot reach its database',
      schema: standardErrorSchema,
      codes: ['MODEL_UNAVAILABLE', 'MODEL_BUSY', 'OVERLOADED', 'STORE_FULL'],
      headers: { 'Retry-After': 'Seconds to wait, where the model is busy' },
    },
    504: { description: 'The model took too long', schema: standardErrorSchema, codes: ['MODEL_TIMEOUT'] },
  },
};

export const completionsRoute: Route = {
  path: '/api/v1/chat/completions',
  docs: { POST: chatDocs },
  untidy: 'below-api',
};

/** POST /chat/completions: OpenAI-compatible chat, charged by the tokens that it takes. */
export function chatCompletions({ paidCalls, chat }: { paidCalls: PaidCalls; chat: Chat }): Endpoint {
  const service = chatService(chat);
  const sealed = sealedChatService(chat);
  return {
    ...completionsRoute,
    POST: (call) => (sealedSchemeOf(call) === null ? paidCalls.serve(call, service) : paidCalls.serve(call, sealed)),
  };
}
