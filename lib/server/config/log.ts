import { z } from 'zod';

/** What is logged. */
export const logSchema = z.strictObject({
  level: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  requests: z
    .strictObject({
      share: z
        .number()
        .min(0)
        .max(1)
        .default(0.01)
        .describe(
          'Of requests that succeeded in time, how many have a line: 0 for none, 1 for all. Slow and failed ones always have theirs',
        ),
      slowMs: z
        .number()
        .int()
        .min(1)
        .max(3_600_000)
        .default(5_000)
        .describe('A request is slow whose answer was not there, or of a stream had not begun, after so long'),
      refusalsPerSecondMax: z
        .number()
        .int()
        .min(1)
        .max(1_000_000)
        .default(100)
        .describe(
          'Lines a second for requests that were refused (4xx), so that callers cannot fill the log; how many were left out is said',
        ),
      faultsPerSecondMax: z
        .number()
        .int()
        .min(1)
        .max(1_000_000)
        .default(1_000)
        .describe(
          'The same for requests that failed (5xx) or were slow: more than this is one cause, and its lines would fill a disk',
        ),
    })
    .prefault({})
    .describe('One line a request'),
});

export type LogConfig = z.output<typeof logSchema>;
