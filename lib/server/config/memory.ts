import { z } from 'zod';

const MIB = 1024 * 1024;
const bytes = (min: number) =>
  z
    .number()
    .int()
    .min(min)
    .max(64 * 1024 * MIB);
const patienceMs = () => z.number().int().min(100).max(3_600_000);

/** What may be held in memory of answers at a time, and for how long of those that nobody reads. */
export const memorySchema = z
  .strictObject({
    answersBytesMax: bytes(MIB)
      .default(48 * MIB)
      .describe(
        'Answers of more than 64 KiB together, from their first byte off the upstream to the last that their reader took. Those that come when it is reached wait; beyond half as much again new calls are 503',
      ),
    callerBytesMax: bytes(65_536)
      .default(32 * MIB)
      .describe('The same of one caller, of what it has not read; beyond it its new calls are 503'),
    waitingMax: z
      .number()
      .int()
      .min(1)
      .max(4096)
      .default(256)
      .describe(
        'Answers that may wait for memory; beyond it new calls are 503, beyond an eighth of it those of callers who have several under way',
      ),
    slowReaderMs: patienceMs()
      .default(60_000)
      .describe(
        'A reader who takes nothing of what waits for it (128 KiB of a large answer, or the rest) for so long is disconnected',
      ),
    slowReaderPressedMs: patienceMs().default(5_000).describe('The same while others wait for the memory'),
  })
  .refine(({ slowReaderMs, slowReaderPressedMs }) => slowReaderPressedMs <= slowReaderMs, {
    path: ['slowReaderPressedMs'],
    message: 'Must not be more than slowReaderMs',
  });

export type MemoryConfig = z.output<typeof memorySchema>;
