import { z } from 'zod';
import type { PaidCalls } from '../../billing/paid-calls';
import type { Chat } from '../../chat/chat';
import { translatedChatService } from '../../chat/translated-chat';
import type { Endpoint, Route } from '../../http/endpoint';
import type { Operation } from '../../http/operation';
import { IDEMPOTENCY_KEY_PARAMETER, KEPT_ANSWER_HEADERS } from '../openapi/paid-calls';
import { openaiErrorSchema, openaiPaymentSchema, TRANSLATED_TEXT, translatedRefusals } from './translated-docs';

const requestSchema = z
  .looseObject({
    model: z.string(),
    input: z.union([z.string(), z.array(z.looseObject({}))]).describe('A text, or all items of the conversation'),
    instructions: z.string().nullish(),
    stream: z.boolean().nullish(),
    max_output_tokens: z.number().int().min(1).nullish(),
    tools: z
      .array(z.looseObject({ type: z.string() }))
      .nullish()
      .describe('Function tools; the gateway leaves other tools out'),
    store: z.boolean().nullish().describe('Always treated as false: the gateway stores nothing'),
  })
  .meta({ id: 'ResponsesRequest' });

const responseSchema = z
  .looseObject({
    id: z.string(),
    object: z.literal('response'),
    status: z.string(),
    model: z.string(),
    output: z.array(z.looseObject({ type: z.string() })),
    store: z.literal(false),
  })
  .meta({ id: 'Response' });

const HEAD = { id: 'resp_5f0c2a71', object: 'response', created_at: 1795487400, model: 'guide', store: false };
const MESSAGE = {
  id: 'msg_5f0c2a71',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Stake, sign a token, and send it.', annotations: [] }],
};
const RESPONSE_EXAMPLE = {
  ...HEAD,
  status: 'completed',
  output: [MESSAGE],
  usage: { input_tokens: 9, output_tokens: 10, total_tokens: 19 },
};
const STREAM_EXAMPLE = [
  `event: response.created\ndata: ${JSON.stringify({ type: 'response.created', sequence_number: 0, response: { ...HEAD, status: 'in_progress', output: [] } })}`,
  'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","sequence_number":4,"item_id":"msg_5f0c2a71","output_index":0,"content_index":0,"delta":"Stake"}',
  `event: response.completed\ndata: ${JSON.stringify({ type: 'response.completed', sequence_number: 8, response: RESPONSE_EXAMPLE })}`,
  '',
].join('\n\n');

const responsesDocs: Operation = {
  id: 'createResponse',
  tag: 'Chat',
  sale: {
    product: 'chat',
    mediaType: 'application/json',
    keywords: ['chat', 'llm', 'inference', 'openai', 'responses'],
    price: 'By the tokens of prompt and answer, at the prices of the model in GET /models.',
  },
  summary: "Complete a chat in the form of OpenAI's Responses, streamed or whole",
  description: [
    'Stateless: "store" is always false, and previous_response_id, conversation, background and prompt are refused. Send the whole conversation as input.',
    ...TRANSLATED_TEXT,
  ].join('\n\n'),
  credentials: ['apiKey', 'signInWithX'],
  errorForm: 'openai',
  parameters: [IDEMPOTENCY_KEY_PARAMETER],
  body: {
    schema: requestSchema,
    examples: {
      plain: { model: 'guide', input: 'How do I mint an API key?', max_output_tokens: 200 },
      streamed: { model: 'guide', input: 'How do I mint an API key?', max_output_tokens: 200, stream: true },
    },
  },
  responses: {
    200: {
      description: 'The response; with "stream": true its events',
      schema: responseSchema,
      examples: { whole: RESPONSE_EXAMPLE },
      media: [{ type: 'text/event-stream', example: STREAM_EXAMPLE }],
      headers: {
        'X-Balance-Remaining': 'Prepaid balance of the wallet after this request; only with a wallet sign-in',
        ...KEPT_ANSWER_HEADERS,
      },
    },
    ...translatedRefusals(openaiErrorSchema, openaiPaymentSchema),
  },
};

export const responsesRoute: Route = {
  path: '/api/v1/responses',
  docs: { POST: responsesDocs },
  errorForm: 'openai',
  untidy: 'at-origin',
};

/** POST /responses: chat in the format of OpenAI's Responses API, charged by tokens. */
export function chatResponses({ paidCalls, chat }: { paidCalls: PaidCalls; chat: Chat }): Endpoint {
  const service = translatedChatService(chat, 'responses');
  return { ...responsesRoute, POST: (call) => paidCalls.serve(call, service) };
}
