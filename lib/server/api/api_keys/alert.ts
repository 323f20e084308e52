import type { KeyAlertTerms } from '@/lib/protocol/api-keys/key-budget';
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
