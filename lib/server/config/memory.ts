import { z } from 'zod';

const MIB = 1024 * 1024;
const bytes = (min: number) =>
  z
    .number()
    .int()
    .min(min)
    .max(64 * 1024 * MIB);
const patienceMs = () => z.number().int().min(100).max(3_600_000);

/** Limits on the memory for answers, and on how long a client may pause reading. */
export const memorySchema = z
  .strictObject({
    answersBytesMax: bytes(MIB)
      .default(48 * MIB)
      .describe(
        'Memory for answers over 64 KiB, from their first byte until the caller has read them. At this limit new answers wait; at 1.5 times this limit new calls get 503',
      ),
    callerBytesMax: bytes(65_536)
      .default(32 * MIB)
      .describe('Unread bytes of one caller; beyond this, new calls of the caller get 503'),
    waitingMax: z
      .number()
      .int()
      .min(1)
      .max(4096)
      .default(256)
      .describe(
        'Answers that may wait for memory. Beyond this, new calls get 503; beyond an eighth of it, callers with several running calls get 503',
      ),
    slowReaderMs: patienceMs()
      .default(60_000)
      .describe('A caller that reads nothing of a waiting answer for this long is disconnected'),
    slowReaderPressedMs: patienceMs().default(5_000).describe('The same limit while other answers wait for memory'),
  })
  .refine(({ slowReaderMs, slowReaderPressedMs }) => slowReaderPressedMs <= slowReaderMs, {
    path: ['slowReaderPressedMs'],
    message: 'Must not be more than slowReaderMs',
  });
