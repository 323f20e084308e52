import { z } from 'zod';

/** Name of x402's payment-identifier extension in `extensions`. */
export const PAYMENT_IDENTIFIER = 'payment-identifier';

const ID_LENGTH_MIN = 16;
const ID_LENGTH_MAX = 128;
const ID_CHARACTERS = '^[a-zA-Z0-9_-]+$';

/** Declaration of the extension in a 402's `extensions`. The id is optional. */
export const PAYMENT_IDENTIFIER_DECLARATION = {
  info: { required: false },
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      required: { type: 'boolean' },
      id: { type: 'string', minLength: ID_LENGTH_MIN, maxLength: ID_LENGTH_MAX, pattern: ID_CHARACTERS },
    },
    required: ['required'],
  },
} as const;

/**
 * Payment's extensions. Clients echo the declaration of the 402 and may add `info.id`. Other formats are refused,
 * because the sender would rely on an ignored id.
 */
export const paymentExtensionsSchema = z.object({
  [PAYMENT_IDENTIFIER]: z
    .object({
      info: z.object({
        id: z.string().min(ID_LENGTH_MIN).max(ID_LENGTH_MAX).regex(new RegExp(ID_CHARACTERS)).optional(),
      }),
    })
    .optional(),
});

/** Sentence for a payment whose extension is not valid. */
export const INVALID_IDENTIFIER = `The payment identifier is not valid. Send ${ID_LENGTH_MIN} to ${ID_LENGTH_MAX} letters, digits, "_" or "-" as extensions["${PAYMENT_IDENTIFIER}"].info.id, or none.`;
