import { z } from 'zod';
import { withApiKeyHeader } from '../../auth/bearer';
import type { PaidCalls } from '../../billing/paid-calls';
import type { Chat } from '../../chat/chat';
import { translatedChatService } from '../../chat/translated-chat';
import type { Endpoint, Route } from '../../http/endpoint';
import type { Operation } from '../../http/operation';
import { IDEMPOTENCY_KEY_PARAMETER, KEPT_ANSWER_HEADERS } from '../openapi/paid-calls';
import { anthropicErrorSchema, anthropicPaymentSchema, TRANSLATED_TEXT, translatedRefusals } from './translated-docs';

export const messagesRequestSchema = z
  .looseObject({
    model: z.string(),
    messages: z.array(z.looseObject({ role: z.string() })).min(1),
    system: z.union([z.string(), z.array(z.looseObject({}))]).nullish(),
    max_tokens: z.number().int().min(1).nullish(),
    stream: z.boolean().nullish(),
    tools: z
      .array(z.looseObject({}))
      .nullish()
      .describe('Tools that the caller runs; the gateway leaves other tools out'),
  })
  .meta({ id: 'MessagesRequest' });

const messageSchema = z
  .looseObject({
    id: z.string(),
    type: z.literal('message'),
    role: z.literal('assistant'),
    model: z.string(),
    content: z.array(z.looseObject({ type: z.string() })),
    stop_reason: z.string().nullable(),
    usage: z.looseObject({ input_tokens: z.number(), output_tokens: z.number() }),
  })
  .meta({ id: 'Message' });

export const MESSAGES_REQUEST_EXAMPLE = {
  model: 'guide',
  max_tokens: 200,
  messages: [{ role: 'user', content: 'How do I mint an API key?' }],
};
const HEAD = { id: 'msg_5f0c2a71', type: 'message', role: 'assistant', model: 'guide' };
const MESSAGE_EXAMPLE = {
  ...HEAD,
  content: [{ type: 'text', text: 'Stake, sign a token, and send it.' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 9, output_tokens: 10 },
};
const STREAM_EXAMPLE = [
  `event: message_start\ndata: ${JSON.stringify({ type: 'message_start', message: { ...HEAD, content: [], stop_reason: null, usage: { input_tokens: 0, output_tokens: 0 } } })}`,
  'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Stake"}}',
  'event: message_stop\ndata: {"type":"message_stop"}',
  '',
].join('\n\n');

/** Header that clients may send instead of Authorization. */
export const API_KEY_PARAMETER = {
  name: 'X-API-Key',
  in: 'header',
  required: false,
  description: "The API key in the header of Anthropic's clients; Authorization takes precedence",
  schema: z.string(),
} as const;

const messagesDocs: Operation = {
  id: 'createMessage',
  tag: 'Chat',
  sale: {
    product: 'chat',
    mediaType: 'application/json',
    keywords: ['chat', 'llm', 'inference', 'anthropic', 'messages'],
    price: 'By the tokens of prompt and answer, at the prices of the model in GET /models.',
  },
  summary: "Complete a chat in the form of Anthropic's Messages, streamed or whole",
  description: TRANSLATED_TEXT.join('\n\n'),
  credentials: ['apiKey', 'signInWithX'],
  errorForm: 'anthropic',
  parameters: [API_KEY_PARAMETER, IDEMPOTENCY_KEY_PARAMETER],
  body: {
    schema: messagesRequestSchema,
    examples: { plain: MESSAGES_REQUEST_EXAMPLE, streamed: { ...MESSAGES_REQUEST_EXAMPLE, stream: true } },
  },
  responses: {
    200: {
      description: 'The message; with "stream": true its events',
      schema: messageSchema,
      examples: { whole: MESSAGE_EXAMPLE },
      media: [{ type: 'text/event-stream', example: STREAM_EXAMPLE }],
      headers: {
        'X-Balance-Remaining': 'Prepaid balance of the wallet after this request; only with a wallet sign-in',
        ...KEPT_ANSWER_HEADERS,
      },
    },
    ...translatedRefusals(anthropicErrorSchema, anthropicPaymentSchema),
  },
};

export const messagesRoute: Route = {
  path: '/api/v1/messages',
  docs: { POST: messagesDocs },
  errorForm: 'anthropic',
  untidy: 'at-origin',
};

/** POST /messages: chat in the format of Anthropic's Messages API, charged by tokens. */
export function chatMessages({ paidCalls, chat }: { paidCalls: PaidCalls; chat: Chat }): Endpoint {
  const service = translatedChatService(chat, 'messages');
  return { ...messagesRoute, POST: (call) => paidCalls.serve(withApiKeyHeader(call), service) };
}
