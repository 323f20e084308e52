import { z } from 'zod';
import { discoverySchema, walletBalanceSchema } from '@/lib/protocol/error-bodies';
import type { Operation } from '../../http/operation';
import { MODEL_REFUSALS } from '../openapi/refusals';
import { chatDocs } from './completions';

/** OpenAI's clients read an error so; the members of the gateway's own errors stand beside it. */
export const openaiErrorSchema = z
  .looseObject({
    error: z.looseObject({
      message: z.string(),
      type: z.string(),
      code: z.string().nullable(),
      param: z.string().nullable(),
    }),
    code: z.string(),
    hint: z.string(),
  })
  .meta({ id: 'OpenAIError' });

/** The same for Anthropic's clients. */
export const anthropicErrorSchema = z
  .looseObject({
    type: z.literal('error'),
    error: z.looseObject({ type: z.string(), message: z.string(), code: z.string() }),
    code: z.string(),
    hint: z.string(),
  })
  .meta({ id: 'AnthropicError' });

/** A 402 asks wallets in the form of x402, and tells keys in the form of the API. */
export const openaiPaymentSchema = z
  .union([discoverySchema, walletBalanceSchema, openaiErrorSchema])
  .meta({ id: 'OpenAIPaymentRequired' });
export const anthropicPaymentSchema = z
  .union([discoverySchema, walletBalanceSchema, anthropicErrorSchema])
  .meta({ id: 'AnthropicPaymentRequired' });

/** What is said of both APIs. */
export const TRANSLATED_TEXT = [
  'The request is sent to the model as a chat (POST /chat/completions), or as it came where its server speaks the API itself; it is priced, bounded and charged as one, and its answer is translated back.',
  'What a chat has no form for is left out: tools that are no functions, files, unknown items. The answer says what under "metadata".',
  'Models whose answers are signed (supportsTeeAttestation) are not served here, since a translation would void the signature: 400 MODEL_NOT_TRANSLATED. The proxy of turnpike-client verifies and translates on the side of the customer.',
  'A stream that breaks off ends with an error event; what came until then is charged.',
] as const;

/** The refusals of a chat, in the form of another API. @param paymentSchema of its 402 */
export function translatedRefusals(schema: z.ZodType, paymentSchema: z.ZodType): Operation['responses'] {
  const { 404: missing, 429: repeated, 502: unreadable, 503: away, 504: late } = chatDocs.responses;
  const own = {
    ...MODEL_REFUSALS,
    400: {
      description: 'The request is not valid, cannot be translated, or is for a model whose answers are signed',
      codes: ['INVALID_REQUEST', 'THREAD_NOT_KEPT', 'MODEL_NOT_TRANSLATED', 'IDEMPOTENCY_KEY_REUSED', 'MODEL_REFUSED'],
    },
    429: repeated,
    404: missing,
    502: unreadable,
    503: away,
    504: late,
  } as Operation['responses'];
  return Object.fromEntries(
    Object.entries(own).map(([status, response]) => [
      status,
      { ...response, schema: status === '402' ? paymentSchema : schema },
    ]),
  );
}
