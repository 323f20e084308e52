import { z } from 'zod';
import { chatRequestSchema } from '@/lib/protocol/chat/chat-request';
import { E2EE_HEADER_NAMES } from '@/lib/protocol/e2ee/headers';
import { detailedErrorSchema, standardErrorSchema } from '@/lib/protocol/error-bodies';
import type { Operation } from '../../http/operation';
import { MODEL_REFUSALS } from '../openapi/refusals';
import type { PaidCalls } from '../../billing/paid-calls';
import type { Chat } from '../../chat/chat';
import { chatService } from '../../chat/chat-service';
import type { Endpoint, Route } from '../../http/endpoint';

const completion = z.looseObject({
  id: z.string().optional(),
  choices: z.array(z.looseObject({ message: z.looseObject({ role: z.string().optional(), content: z.unknown() }).optional() })).optional(),
  usage: z.looseObject({ prompt_tokens: z.number(), completion_tokens: z.number() }).nullish(),
});

/** POST /chat/completions in the API description. */
const chatDocs: Operation = {
  id: 'chat',
  summary: 'Complete a chat, streamed or whole',
  description:
    'OpenAI-compatible. Of fields that are not listed here plain models are told nothing; attested models (supportsTeeAttestation) get every byte, and fields that limit or multiply what is generated, or that other decoders read as a listed one, are 400. Charged by the tokens that the model counts, at the prices of GET /models; the most it can cost is held meanwhile. ' +
    'Where the balance covers less than that, max_tokens is lowered to what it covers; requests to attested models (supportsTeeAttestation) are never changed, and need a balance that covers the most. ' +
    'With any of the three X-Service-TEE headers the request is end-to-end encrypted: user and system contents must be ciphertext.',
  credentials: ['apiKey', 'signInWithX'],
  parameters: Object.entries({
    [E2EE_HEADER_NAMES.clientPublicKey]: "The client's ephemeral secp256k1 key, uncompressed: 130 hexadecimal characters that start with 04",
    [E2EE_HEADER_NAMES.modelPublicKey]: 'The key of the model, from its attestation',
    [E2EE_HEADER_NAMES.signingAlgorithm]: 'Always ecdsa',
  }).map(([name, description]) => ({ name, in: 'header' as const, required: false, description, schema: z.string() })),
  body: {
    schema: chatRequestSchema,
    examples: { plain: { model: 'guide', messages: [{ role: 'user', content: 'How do I mint an API key?' }] } },
  },
  responses: {
    200: {
      description: 'The completion; with "stream": true server-sent events of chunks, the last of them [DONE]',
      schema: completion,
      headers: { 'X-Balance-Remaining': 'What the wallet has prepaid after this request, on a stream what it has beside what is held, in USD to 6 decimal places; only where a wallet signed in' },
    },
    400: { description: 'The request is not valid, its schema is no strict one, its content is not encrypted, or the model refuses it', schema: z.union([detailedErrorSchema, standardErrorSchema]) },
    ...MODEL_REFUSALS,
    404: { description: 'There is no such model (MODEL_NOT_FOUND)', schema: standardErrorSchema },
    502: { description: 'The answer of the model cannot be read, or does not fit the schema (REPLY_SCHEMA_MISMATCH: its tokens are charged)', schema: standardErrorSchema },
    503: { description: 'The model is away or busy, or the gateway cannot reach its database', schema: standardErrorSchema, headers: { 'Retry-After': 'Seconds to wait, where the model is busy' } },
    504: { description: 'The model took too long', schema: standardErrorSchema },
  },
};

export const completionsRoute: Route = { path: '/api/v1/chat/completions', docs: { POST: chatDocs } };

/** POST /chat/completions: OpenAI-compatible chat, charged by the tokens that it takes. */
export function chatCompletions({ paidCalls, chat }: { paidCalls: PaidCalls; chat: Chat }): Endpoint {
  const service = chatService(chat);
  return { ...completionsRoute, POST: (call) => paidCalls.serve(call, service) };
}
