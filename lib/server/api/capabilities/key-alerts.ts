import { KeyAlerts } from '../../billing/key-alerts/key-alerts';
import { WebhookSender } from '../../billing/key-alerts/webhook';
import type { Database } from '../../db/schema';
import type { Capability } from './capability';
import type { Ground } from './ground';

/** Alerts a key's owner when the key has spent a chosen amount. */
export function openKeyAlerts({ config, log, now }: Ground, { db }: { db: Database }) {
  const webhooks = new WebhookSender(config.secret, config.webhooks, config.previousSecret, config.brand.name);
  const alerts = new KeyAlerts({ db, webhooks, now, log });
  alerts.start();
  return {
    webhooks,
    close: async () => {
      await alerts.stop();
      await webhooks.close();
    },
  } satisfies Capability & { webhooks: WebhookSender };
}
