import { z } from 'zod';

const MIB = 1024 * 1024;
const bytes = (max: number) => z.number().int().min(0).max(max);

/** Limits on the answers stored under idempotency keys for 24 hours. */
export const idempotencySchema = z.strictObject({
  answerBytesMax: bytes(64 * MIB)
    .default(4 * MIB)
    .describe(
      'Largest answer that is stored under an Idempotency-Key. A larger answer is sent and charged, but cannot be repeated',
    ),
  callerBytesMax: bytes(1024 * 1024 * MIB)
    .default(64 * MIB)
    .describe('Total size of stored answers of one caller. Answers of up to 1 KiB do not count'),
  totalBytesMax: bytes(1024 * 1024 * MIB)
    .default(1024 * MIB)
    .describe('Total size of stored answers of all callers. One caller gets at most an eighth of the free space'),
  callerKeysMax: z
    .number()
    .int()
    .min(1)
    .max(100_000_000)
    .default(150_000)
    .describe('Maximum Idempotency-Keys of one caller within 24 hours; calls with further keys get 429'),
});

export type IdempotencyConfig = z.output<typeof idempotencySchema>;
