import { z } from 'zod';
import { discoverySchema, walletBalanceSchema } from '@/lib/protocol/error-bodies';
import type { Operation } from '../../http/operation';
import { MODEL_REFUSALS } from '../openapi/refusals';
import { chatDocs } from './completions';

/** Error in the format of OpenAI's API, with the fields of the gateway's errors. */
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

export const anthropicErrorSchema = z
  .looseObject({
    type: z.literal('error'),
    error: z.looseObject({ type: z.string(), message: z.string(), code: z.string() }),
    code: z.string(),
    hint: z.string(),
  })
  .meta({ id: 'AnthropicError' });

/** Schema of a 402. Wallets get the x402 format, and callers with API keys the format of OpenAI's API. */
export const openaiPaymentSchema = z
  .union([discoverySchema, walletBalanceSchema, openaiErrorSchema])
  .meta({ id: 'OpenAIPaymentRequired' });
export const anthropicPaymentSchema = z
  .union([discoverySchema, walletBalanceSchema, anthropicErrorSchema])
  .meta({ id: 'AnthropicPaymentRequired' });

export const TRANSLATED_TEXT = [
  'The gateway sends the request to the model as a chat (POST /chat/completions) and translates the answer back. If the model server supports this API, the gateway forwards the request unchanged. Price and limits are those of a chat.',
  'The gateway leaves out what a chat cannot express: tools other than functions, files, unknown items. "metadata" of the answer lists them.',
  'Models that sign their answers (supportsTeeAttestation) give 400 MODEL_NOT_TRANSLATED, because a translation would invalidate the signature. The proxy of turnpike-client verifies and translates on your machine.',
  'A stream that fails ends with an error event; the part until then is charged.',
] as const;

/**
 * Returns the documented refusals of a chat endpoint, in the error format of another API.
 * @param paymentSchema schema of the 402
 */
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
