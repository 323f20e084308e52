import { z } from 'zod';

const MIB = 1024 * 1024;
const bytes = (max: number) => z.number().int().min(0).max(max);

/** What is kept of answers under idempotency keys, for 24 hours. */
export const idempotencySchema = z.strictObject({
  answerBytesMax: bytes(64 * MIB)
    .default(4 * MIB)
    .describe(
      'Largest answer under an Idempotency-Key that is kept for its repetition; a larger one is answered and charged, and its key notes that only',
    ),
  callerBytesMax: bytes(1024 * 1024 * MIB)
    .default(64 * MIB)
    .describe('Kept answers of one caller together. Answers of up to 1 KiB do not count'),
  totalBytesMax: bytes(1024 * 1024 * MIB)
    .default(1024 * MIB)
    .describe('Kept answers of all callers together. One caller never has more than an eighth of what is left of it'),
  callerKeysMax: z
    .number()
    .int()
    .min(1)
    .max(100_000_000)
    .default(150_000)
    .describe(
      'Keys of one caller within 24 hours, with their answers of up to 1 KiB; calls under further keys are 429',
    ),
});

export type IdempotencyConfig = z.output<typeof idempotencySchema>;
