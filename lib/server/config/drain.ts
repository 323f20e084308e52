import { z } from 'zod';

/** Default delay in the live profile. Load balancers poll readiness every few seconds. */
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

/** Returns the drain times with the profile's default. A sandbox has no load balancer and needs no delay. */
export function drainOf({
  profile,
  drain,
}: {
  profile: 'sandbox' | 'live';
  drain: z.output<typeof drainSchema>;
}): DrainConfig {
  return { ...drain, delaySeconds: drain.delaySeconds ?? (profile === 'sandbox' ? 0 : LIVE_DELAY_SECONDS) };
}
