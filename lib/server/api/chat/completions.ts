import { z } from 'zod';
import { chatRequestSchema } from '@/lib/protocol/chat/chat-request';
import { ENCRYPTION_HEADERS } from '@/lib/protocol/e2ee/encryption-headers';
import { refusedRequestSchema, standardErrorSchema } from '@/lib/protocol/error-bodies';
import type { Operation } from '../../http/operation';
import { IDEMPOTENCY_KEY_PARAMETER, KEPT_ANSWER_HEADERS } from '../openapi/paid-calls';
import { MODEL_REFUSALS, RATE_LIMIT_HEADERS } from '../openapi/refusals';
import type { PaidCalls } from '../../billing/paid-calls';
import type { Chat } from '../../chat/chat';
import { chatService } from '../../chat/chat-service';
import { sealedChatService } from '../../chat/sealed/sealed-chat-service';
import { sealedSchemeOf } from '../../chat/sealed/sealed-schemes';
import type { Endpoint, Route } from '../../http/endpoint';

/** Accepts additional fields, because models may add some. */
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

export const chatDocs: Operation = {
  id: 'chat',
  tag: 'Chat',
  sale: {
    product: 'chat',
    mediaType: 'application/json',
    keywords: ['chat', 'llm', 'inference', 'private', 'openai'],
    price: 'By the tokens of prompt and answer, at the prices of the model in GET /models.',
  },
  summary: 'Complete a chat, streamed or whole',
  description: [
    'OpenAI-compatible.',
    'Price: the tokens that the model counts, at the prices in GET /models. The gateway holds the maximum cost while the request runs. If the balance is lower, the gateway lowers max_tokens to what the balance covers. Requests to attested models (supportsTeeAttestation) are never changed, so they need a balance that covers the maximum.',
    'Unlisted fields: attested models get the body byte for byte. For them, a field that limits or multiplies the generated tokens, or that some decoders read as a listed field, gives 400. For other models, the gateway leaves unlisted fields out.',
    'Encrypted messages: with any of the three X-Service-TEE headers below, user and system contents must be ciphertext, and the model must have supportsE2EE. Models whose model_spec.encryption is ed25519 take the algorithm "ed25519" and X-Encryption-Version: 2 instead. With X-Encrypt-All-Fields: true, the enclave also encrypts log probabilities, refusals and tool calls. Without it, a request for logprobs gives 400, because the enclave would send them unencrypted.',
    'Encryption headers (listed in model_spec.encryptionHeaders) are never ignored: with a plain chat, or with another encryption, they give 400.',
    'Encrypted body (EHBP): with Ehbp-Encapsulated-Key, the body is frames of ciphertext. X-Service-TEE-Model names a model whose model_spec.encryption is ehbp. The answer is encrypted in the same way, with Ehbp-Response-Nonce. The charge is the usage that the enclave reports unencrypted, or else an estimate from the length at the price of the most expensive model of that server. The balance must cover the longest answer at that price.',
    'Encrypted body (ML-KEM-768): with X-Service-TEE-Instance, the body is encrypted to the key of that instance of a model whose model_spec.encryption is ml-kem-768. X-E2E-Stream: true requests a streamed answer. The charge is the unencrypted usage in a stream, or else an estimate from the length. The balance must cover a full context and the longest answer.',
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
          'Prepaid balance of the wallet after this request, in USD to 6 decimal places; on a stream, without the held amount. Only with a wallet sign-in',
        'X-Service-Left-Out':
          'Kinds of attachments that the model does not support, replaced by a line of text: images, files',
        ...KEPT_ANSWER_HEADERS,
      },
    },
    400: {
      description:
        "The request is not valid, its schema is not strict, its content is not encrypted, or the model refuses it. REPLY_SCHEMA_MISMATCH: the model's reply does not match the schema. The reply is in details.reply, and its tokens are charged",
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
        'Too many requests of this caller in a minute, or the first request with this Idempotency-Key is still running',
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
      description: 'The enclave does not have the key of the encrypted body, or the instance is gone',
      schema: standardErrorSchema,
      codes: ['EHBP_KEY_CONFIG', 'E2EE_INSTANCE_GONE'],
    },
    502: {
      description: "The model's answer could not be parsed",
      schema: standardErrorSchema,
      codes: ['MODEL_ANSWER_INVALID'],
    },
    503: {
      description: 'The model is unavailable or busy, or the gateway cannot reach its database',
      schema: standardErrorSchema,
      codes: ['MODEL_UNAVAILABLE', 'MODEL_BUSY', 'OVERLOADED', 'STORE_FULL'],
      headers: { 'Retry-After': 'Seconds to wait, if the model is busy' },
    },
    504: { description: 'The model took too long', schema: standardErrorSchema, codes: ['MODEL_TIMEOUT'] },
  },
};

export const completionsRoute: Route = {
  path: '/api/v1/chat/completions',
  docs: { POST: chatDocs },
  untidy: 'below-api',
};

/** POST /chat/completions: OpenAI-compatible chat, charged by tokens. */
export function chatCompletions({ paidCalls, chat }: { paidCalls: PaidCalls; chat: Chat }): Endpoint {
  const service = chatService(chat);
  const sealed = sealedChatService(chat);
  return {
    ...completionsRoute,
    POST: (call) => (sealedSchemeOf(call) === null ? paidCalls.serve(call, service) : paidCalls.serve(call, sealed)),
  };
}
