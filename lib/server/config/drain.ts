import { z } from 'zod';

/** Balancers ask every few seconds whether a gateway is ready. */
const LIVE_DELAY_SECONDS = 5;

export const drainSchema = z.strictObject({
  delaySeconds: z
    .number()
    .min(0)
    .max(600)
    .optional()
    .describe(
      'How long a gateway that was told to stop goes on taking requests, so that balancers notice first: 5; 0 in the sandbox',
    ),
  timeoutSeconds: z
    .number()
    .min(0)
    .max(3600)
    .default(120)
    .describe(
      'How long answers under way get to their end after that, before they are cut and charged as far as they came',
    ),
});

export interface DrainConfig {
  delaySeconds: number;
  timeoutSeconds: number;
}

/** The times of a profile: nothing balances load onto a sandbox. */
export function drainOf({
  profile,
  drain,
}: {
  profile: 'sandbox' | 'live';
  drain: z.output<typeof drainSchema>;
}): DrainConfig {
  return { ...drain, delaySeconds: drain.delaySeconds ?? (profile === 'sandbox' ? 0 : LIVE_DELAY_SECONDS) };
}
