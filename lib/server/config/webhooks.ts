import { z } from 'zod';

/** Where owners of keys may have themselves told that a key reached its alert. */
export const webhooksSchema = z.strictObject({
  enabled: z
    .boolean()
    .default(true)
    .describe(
      'Whether alerts are sent to the addresses that owners of keys give. Without, they stand in the list of keys alone',
    ),
  allowPrivateAddresses: z
    .boolean()
    .optional()
    .describe(
      'Whether these addresses may be plain HTTP, and in private networks or on this machine: true in the sandbox, false in live. Whoever may call the gateway could otherwise have it ask services that only it can reach',
    ),
});

export interface WebhooksConfig {
  enabled: boolean;
  allowPrivateAddresses: boolean;
}

/** With the default of a profile. */
export function webhooksOf({
  profile,
  webhooks,
}: {
  profile: 'sandbox' | 'live';
  webhooks: z.output<typeof webhooksSchema>;
}): WebhooksConfig {
  return { enabled: webhooks.enabled, allowPrivateAddresses: webhooks.allowPrivateAddresses ?? profile === 'sandbox' };
}
