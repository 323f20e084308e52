import { z } from 'zod';

/** Settings of webhooks that alert a key's owner when spending reaches the key's alert amount. */
export const webhooksSchema = z.strictObject({
  enabled: z
    .boolean()
    .default(true)
    .describe('Whether alerts are sent to the URLs that key owners set. If not, only the list of keys shows them'),
  allowPrivateAddresses: z
    .boolean()
    .optional()
    .describe(
      'Whether these URLs may use plain HTTP, private networks or this machine: true in the sandbox, false in live. With true, callers can make the gateway send requests to internal services',
    ),
});

export interface WebhooksConfig {
  enabled: boolean;
  allowPrivateAddresses: boolean;
}

/** Returns the settings. By default, the profile decides whether private addresses are allowed. */
export function webhooksOf({
  profile,
  webhooks,
}: {
  profile: 'sandbox' | 'live';
  webhooks: z.output<typeof webhooksSchema>;
}): WebhooksConfig {
  return { enabled: webhooks.enabled, allowPrivateAddresses: webhooks.allowPrivateAddresses ?? profile === 'sandbox' };
}
