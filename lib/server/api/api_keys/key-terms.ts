import type { KeyAlertTerms } from '@/lib/protocol/api-keys/key-budget';
import type { KeyScope } from '@/lib/protocol/api-keys/key-scope';
import { nearestNetworks } from '@/lib/protocol/nearest-networks';
import type { Network } from '@/lib/protocol/networks';
import { nanoUsdOfNumber } from '@/lib/protocol/parse-usd';
import { webhookFault, type WebhookSender } from '../../billing/key-alerts/webhook';
import type { WebhooksConfig } from '../../config/webhooks';
import type { KeyBudget } from '../../db/api-keys';
import { pathError } from '../../http/validation-error';

/** Configuration of spending alerts, and the secrets that sign them. */
export interface Webhooks {
  config: WebhooksConfig;
  sender: Pick<WebhookSender, 'secretOf'>;
}

/** Returns an alert in its stored form. @throws ApiError 400 for a webhook address that is not allowed */
export function alertOf(
  alert: KeyAlertTerms | null,
  config: WebhooksConfig,
): Pick<KeyBudget, 'alertNano' | 'webhookUrl'> {
  if (alert === null) return { alertNano: null, webhookUrl: null };
  const { usd, webhookUrl = null } = alert;
  const fault = webhookUrl === null ? null : webhookFault(webhookUrl, config);
  if (fault !== null) throw pathError(['alert', 'webhookUrl'], fault);
  return { alertNano: nanoUsdOfNumber(usd), webhookUrl };
}

/**
 * Refuses a scope with an unknown network. Does not check models, because model lists change and may be empty.
 *
 * @throws ApiError 400 that names the unknown network and the known network with the most similar name
 */
export function checkAllowedNetworks(allow: KeyScope | null, networks: readonly Network[]): void {
  for (const [index, network] of (allow?.networks ?? []).entries()) {
    if (networks.some(({ slug }) => slug === network)) continue;
    const [nearest] = nearestNetworks(network, networks);
    throw pathError(
      ['allow', 'networks', String(index)],
      `${JSON.stringify(network.slice(0, 60))} is not a network of this gateway${nearest === undefined ? '' : `; the most similar is ${nearest}`}`,
    );
  }
}
