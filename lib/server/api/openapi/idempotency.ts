import { z } from 'zod';

/** The header that makes a paid call safe to repeat. */
export const IDEMPOTENCY_KEY_PARAMETER = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'The same key and body within 24 hours return the stored answer without a charge. An answer that is too large to store is sent once, with Idempotency-Stored: false. Repeating that request gives 400 without a charge',
  schema: z.string().regex(/^[A-Za-z0-9_-]{1,255}$/),
} as const;

/** Headers that tell whether an answer was stored under its Idempotency-Key. */
export const KEPT_ANSWER_HEADERS = {
  'Idempotent-Replayed': 'true, only if the answer was stored for an earlier request',
  'Idempotency-Stored':
    'false, only if the answer was too large to store under its Idempotency-Key, so it cannot be repeated',
} as const;
