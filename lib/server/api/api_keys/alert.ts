import type { KeyAlertTerms } from '@/lib/protocol/api-keys/key-budget';
import { nanoUsdOfNumber } from '@/lib/protocol/usd-number';
import { webhookFault, type WebhookSender } from '../../billing/key-alerts/webhook';
import type { WebhooksConfig } from '../../config/webhooks';
import type { KeyBudget } from '../../db/api-keys';
import { pathError } from '../../http/validation-error';

/** By which owners of keys are told, and with what their receivers check it. */
export interface Webhooks {
  config: WebhooksConfig;
  sender: Pick<WebhookSender, 'secretOf'>;
}

/** An alert as it is kept. @throws ApiError 400 for an address that no message is sent to. */
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
