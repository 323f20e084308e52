import { z } from 'zod';

/** The header that makes a paid call safe to repeat. */
export const IDEMPOTENCY_KEY_PARAMETER = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'The same key and body within 24 hours return the kept answer, uncharged. An answer that was too large to keep comes once, with Idempotency-Stored: false; repeating it is answered with 400, and nothing is done or charged',
  schema: z.string().regex(/^[A-Za-z0-9_-]{1,255}$/),
} as const;

/** What an answer under such a key says of its being kept. */
export const KEPT_ANSWER_HEADERS = {
  'Idempotent-Replayed': 'true, only where the answer was kept from an earlier request',
  'Idempotency-Stored':
    'false, only where the answer is too large to be kept under its Idempotency-Key, so that it cannot be repeated',
} as const;
