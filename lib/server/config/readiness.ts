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

/** Default shutdown delay in the live profile. Load balancers poll readiness every few seconds. */
const LIVE_DELAY_SECONDS = 5;

export const drainSchema = z.strictObject({
  delaySeconds: z
    .number()
    .min(0)
    .max(600)
    .optional()
    .describe(
      'Time in which a stopping gateway still accepts requests, so that load balancers notice first: 5; 0 in the sandbox',
    ),
  timeoutSeconds: z
    .number()
    .min(0)
    .max(3600)
    .default(120)
    .describe(
      'Time for running answers to finish after that. Then they are cut off, and the part that was sent is charged',
    ),
});

export interface DrainConfig {
  delaySeconds: number;
  timeoutSeconds: number;
}

/**
 * Returns the configured shutdown delay, or else the profile's default. A sandbox has no load balancer and does not
 * wait.
 */
export function drainOf({
  profile,
  drain,
}: {
  profile: 'sandbox' | 'live';
  drain: z.output<typeof drainSchema>;
}): DrainConfig {
  return { ...drain, delaySeconds: drain.delaySeconds ?? (profile === 'sandbox' ? 0 : LIVE_DELAY_SECONDS) };
}
