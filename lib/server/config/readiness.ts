import { z } from 'zod';

export const readinessSchema = z.strictObject({
  networks: z
    .union(
      [z.enum(['all', 'any', 'none']), z.array(z.string().min(1).max(80)).min(1).max(256)],
      'Must be "all", "any", "none", or a list of network slugs',
    )
    .default('any')
    .describe(
      'Networks that need a working upstream before the gateway is ready: any one, all, none, or the listed ones. Networks without upstreams do not count',
    ),
  storeTimeoutMs: z
    .number()
    .int()
    .min(10)
    .max(60_000)
    .default(1_000)
    .describe('Time after which a database that does not answer makes the gateway not ready'),
});

export type ReadinessConfig = z.output<typeof readinessSchema>;
