import { z } from 'zod';
import type { ChatRequest } from '@/lib/protocol/chat/chat-request';
import { estimatePromptTokens } from '@/lib/protocol/chat/prompt-estimate';
import { withApiKeyHeader } from '../../auth/bearer';
import type { Auth } from '../../auth/auth';
import type { Chat } from '../../chat/chat';
import { translateRequest } from '../../chat/translated-chat';
import { json } from '../../http/call';
import { refuseMisplacedEncryption } from '../../http/encryption-headers';
import type { Endpoint, Route } from '../../http/endpoint';
import { requireJson } from '../../http/json-body';
import type { Operation } from '../../http/operation';
import { JSON_REFUSALS, TOO_MANY_OF_CALLER } from '../openapi/refusals';
import { API_KEY_PARAMETER, MESSAGES_REQUEST_EXAMPLE, messagesRequestSchema } from './messages';
import { anthropicErrorSchema } from './translated-docs';

const countSchema = z.object({ input_tokens: z.number() }).meta({ id: 'MessageTokens' });
const schema = anthropicErrorSchema;

const countDocs: Operation = {
  id: 'countMessageTokens',
  tag: 'Chat',
  summary: 'Estimate the tokens of a prompt',
  description:
    'An estimate from the length of the prompt. Free of charge. A chat is charged for the tokens that the model counts.',
  credentials: ['apiKey', 'signInWithX'],
  errorForm: 'anthropic',
  parameters: [API_KEY_PARAMETER],
  body: { schema: messagesRequestSchema, examples: { plain: MESSAGES_REQUEST_EXAMPLE } },
  responses: {
    200: { description: 'The estimate', schema: countSchema, examples: { estimate: { input_tokens: 7 } } },
    400: {
      description: 'The request is not valid, cannot be translated, or is for a model whose answers are signed',
      schema,
      codes: ['INVALID_REQUEST', 'THREAD_NOT_KEPT', 'MODEL_NOT_TRANSLATED', 'E2EE_HEADERS'],
    },
    401: { description: 'The credential is missing or not valid', schema, codes: ['UNAUTHORIZED', 'INVALID_API_KEY'] },
    404: { description: 'There is no such model', schema, codes: ['MODEL_NOT_FOUND'] },
    413: { ...JSON_REFUSALS[413], schema },
    415: { ...JSON_REFUSALS[415], schema },
    429: { ...TOO_MANY_OF_CALLER, schema },
  },
};

export const countTokensRoute: Route = {
  path: '/api/v1/messages/count_tokens',
  docs: { POST: countDocs },
  errorForm: 'anthropic',
  untidy: 'at-origin',
};

/**
 * POST /messages/count_tokens: estimates the tokens of a prompt. The gateway charges this estimate if an answer reports
 * no usage.
 */
export function countMessageTokens({ auth, chat }: { auth: Auth; chat: Chat }): Endpoint {
  return {
    ...countTokensRoute,
    async POST(received) {
      const call = withApiKeyHeader(received);
      requireJson(call);
      await auth.identifyReader(call);
      refuseMisplacedEncryption(call);
      const { chat: asked } = await translateRequest(
        await call.readBody(chat.config.requestBytesMax),
        chat,
        'messages',
      );
      return json({ input_tokens: estimatePromptTokens(asked as unknown as ChatRequest) });
    },
  };
}
