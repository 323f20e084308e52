import { z } from 'zod';

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
          'Share of successful fast requests that are logged: 0 for none, 1 for all. Slow and failed requests are logged up to the two maxima below',
        ),
      slowMs: z
        .number()
        .int()
        .min(1)
        .max(3_600_000)
        .default(5_000)
        .describe('A request is slow if its answer, or the start of its stream, takes longer than this'),
      refusalsPerSecondMax: z
        .number()
        .int()
        .min(1)
        .max(1_000_000)
        .default(100)
        .describe(
          'Most log lines a second for refused requests (4xx), so that callers cannot fill the log. A line tells how many were left out',
        ),
      faultsPerSecondMax: z
        .number()
        .int()
        .min(1)
        .max(1_000_000)
        .default(1_000)
        .describe('Most log lines a second for failed (5xx) and slow requests, so that one fault cannot fill the disk'),
    })
    .prefault({})
    .describe('Request log: one line for each request'),
});

export type LogConfig = z.output<typeof logSchema>;
