import { ENCRYPTION_HEADERS } from '@/lib/protocol/e2ee/encryption-headers';
import { refusedRequestSchema, standardErrorSchema } from '@/lib/protocol/error-bodies';
import { embeddingsAnswerSchema, embeddingsRequestSchema } from '@/lib/protocol/embeddings/embeddings-request';
import { z } from 'zod';
import type { PaidCalls } from '../billing/paid-calls';
import type { Chat } from '../chat/chat';
import { ehbpScheme } from '../chat/sealed/ehbp-scheme';
import { SEALED_EMBEDDINGS, sealedChatService } from '../chat/sealed/sealed-chat-service';
import type { Embeddings } from '../embeddings/embeddings';
import { embeddingsService } from '../embeddings/embeddings-service';
import type { Endpoint, Route } from '../http/endpoint';
import type { Operation } from '../http/operation';
import { IDEMPOTENCY_KEY_PARAMETER, KEPT_ANSWER_HEADERS } from './openapi/paid-calls';
import { WHOLE_ANSWER_REFUSALS } from './openapi/refusals';

const docs: Operation = {
  id: 'createEmbeddings',
  tag: 'Embeddings',
  sale: {
    product: 'embeddings',
    mediaType: 'application/json',
    keywords: ['embeddings', 'vectors', 'semantic-search', 'retrieval', 'rag'],
    price: 'By the tokens that the model read, at the price of the model in GET /models?type=embedding.',
  },
  summary: 'Turn texts into vectors',
  description:
    'In the form of the OpenAI embeddings API. Texts of similar meaning get vectors that are close to each other. ' +
    'Charged by the tokens in usage, at the price in GET /models?type=embedding. While the request runs, the gateway holds the maximum: one token for each byte of text. A failed request is not charged.\n\n' +
    'Encrypted body (EHBP): as for chats, with Ehbp-Encapsulated-Key and X-Service-TEE-Model, for models whose model_spec.encryption is ehbp. The gateway cannot read the request, so it holds a token for each byte, at the price of the most expensive embedding model of that server.',
  credentials: ['apiKey', 'signInWithX'],
  parameters: [
    IDEMPOTENCY_KEY_PARAMETER,
    ...ENCRYPTION_HEADERS.filter(({ schemes }) => schemes.includes('ehbp')).map(({ names: [name], text }) => ({
      name,
      in: 'header' as const,
      required: false,
      description: text,
      schema: z.string(),
    })),
  ],
  body: {
    schema: embeddingsRequestSchema.meta({ id: 'EmbeddingsRequest' }),
    examples: {
      texts: { model: 'stand-in-embedding', input: ['How do I stake?', 'Staking locks tokens.'] },
      base64: { model: 'stand-in-embedding', input: 'How do I stake?', encoding_format: 'base64', dimensions: 256 },
    },
  },
  responses: {
    200: {
      description: 'A vector for each input, in the order of the inputs',
      schema: embeddingsAnswerSchema,
      examples: {
        one: {
          object: 'list',
          data: [{ object: 'embedding', index: 0, embedding: [0.6, 0, -0.8] }],
          model: 'stand-in-embedding',
          usage: { prompt_tokens: 4, total_tokens: 4 },
        },
      },
      headers: {
        'X-Balance-Remaining':
          'Prepaid balance of the wallet after this request, in USD to 6 decimal places; only with a wallet sign-in',
        ...KEPT_ANSWER_HEADERS,
      },
    },
    400: {
      description: 'The request is not valid, or the model refuses it',
      schema: refusedRequestSchema,
      codes: ['EHBP_KEY', 'EHBP_MODEL', 'EHBP_BODY', 'E2EE_MODEL', 'MODEL_REFUSED'],
    },
    ...WHOLE_ANSWER_REFUSALS,
    422: {
      description: 'The enclave does not have the key of the encrypted body',
      schema: standardErrorSchema,
      codes: ['EHBP_KEY_CONFIG'],
    },
  },
};

export const embeddingsRoute: Route = { path: '/api/v1/embeddings', docs: { POST: docs } };

/** POST /embeddings: converts texts to vectors. Charges per token. */
export function createEmbeddings({
  paidCalls,
  embeddings,
  chat,
}: {
  paidCalls: PaidCalls;
  embeddings: Embeddings;
  chat: Chat;
}): Endpoint {
  const service = embeddingsService(embeddings, async (id) => (await chat.models.findOf('embedding', id)) !== null);
  const sealed = sealedChatService(chat, SEALED_EMBEDDINGS);
  return {
    ...embeddingsRoute,
    POST: (call) => (ehbpScheme.isUsedBy(call) ? paidCalls.serve(call, sealed) : paidCalls.serve(call, service)),
  };
}
