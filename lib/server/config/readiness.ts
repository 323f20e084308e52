import { z } from 'zod';

export const readinessSchema = z.strictObject({
  networks: z
    .union(
      [z.enum(['all', 'any', 'none']), z.array(z.string().min(1).max(80)).min(1).max(256)],
      'Must be "all", "any", "none", or a list of network slugs',
    )
    .default('any')
    .describe(
      'Which of the networks that have upstreams need one that works for the gateway to be ready: any one, all of them, none, or those that are listed',
    ),
  storeTimeoutMs: z
    .number()
    .int()
    .min(10)
    .max(60_000)
    .default(1_000)
    .describe('How long the store may take to answer before the gateway is not ready'),
});

export type ReadinessConfig = z.output<typeof readinessSchema>;
