import { setImmediate as turn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { periodName } from '@/lib/protocol/api-keys/terms';
import { findApiKey } from '../../db/api-keys';
import { endAttempt, type KeyAlert, noteAlert, takeAlert, watchedKeys } from '../../db/key-alerts';
import { readKeyUsage } from '../../db/key-usage';
import type { Database } from '../../db/schema';
import { type WebhookMessage, WebhookFailed } from './webhook';

const INTERVAL_MS = 15_000;
const PAGE = 100;
const SENT_MAX = 50;
const LEASE_MS = 60_000;
/** Delays before retries. Their sum is about 31 hours. */
const RETRY_DELAYS_MS = [5_000, 30_000, 120_000, 600_000, 3_600_000, 21_600_000, 86_400_000] as const;

interface KeyAlertsSettings {
  db: Database;
  webhooks: { send(keyId: number, url: string, message: WebhookMessage, now: number): Promise<void> };
  now: () => number;
  log: Logger;
}

/**
 * Alerts a key's owner when the key has spent a chosen amount in the current period, once per period and amount. The
 * list of keys shows the alert. If a webhook is set, also posts the alert there, with retries. If several gateways
 * share a database, only one of them at a time sends an alert. After a crash, a message may be sent again under the
 * same id.
 */
export class KeyAlerts {
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;
  #isStopped = false;

  constructor(private readonly settings: KeyAlertsSettings) {}

  start(): void {
    this.#timer = setInterval(() => void this.run(), INTERVAL_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer) clearInterval(this.#timer);
    await this.#running;
  }

  run(): Promise<void> {
    const { log } = this.settings;
    this.#running ??= this.#look()
      .then(() => this.#send())
      .catch((error: unknown) => {
        if (!this.#isStopped) log.warn({ err: error }, 'checking API key alerts failed');
      })
      .finally(() => (this.#running = null));
    return this.#running;
  }

  async #look(): Promise<void> {
    const { db, now } = this.settings;
    for (let after = 0; !this.#isStopped;) {
      const keys = await watchedKeys(db, { after, limit: PAGE, now: now() });
      for (const accountId of new Set(keys.map((key) => key.accountId))) {
        const usage = await readKeyUsage(db, accountId, now());
        for (const key of keys.filter((each) => each.accountId === accountId)) {
          const { usd, diem } = usage.of(key).currentPeriod;
          if (usd + diem >= key.thresholdNano)
            await noteAlert(db, key, periodName(key.limitPeriod, now()), usd + diem, now());
        }
        await turn();
      }
      if (keys.length < PAGE) return;
      after = (keys.at(-1) as { id: number }).id;
    }
  }

  async #send(): Promise<void> {
    const { db, now } = this.settings;
    for (let sent = 0; sent < SENT_MAX && !this.#isStopped; sent++) {
      const alert = await takeAlert(db, now(), LEASE_MS);
      if (!alert) return;
      await endAttempt(db, alert.id, await this.#attempt(alert));
    }
  }

  async #attempt(alert: KeyAlert): Promise<Parameters<typeof endAttempt>[2]> {
    const { db, webhooks, now, log } = this.settings;
    const key = await findApiKey(db, alert.keyId);
    if (!key || alert.webhookUrl === null) return { deliveredAt: null, nextAttemptAt: null, error: null };
    try {
      await webhooks.send(alert.keyId, alert.webhookUrl, messageOf(alert, key), now());
      return { deliveredAt: now(), nextAttemptAt: null, error: null };
    } catch (error) {
      if (!(error instanceof WebhookFailed)) log.warn({ err: error }, 'could not send an alert about an API key');
      const delayMs = RETRY_DELAYS_MS[alert.attempts - 1];
      return {
        deliveredAt: null,
        nextAttemptAt: delayMs === undefined ? null : now() + delayMs,
        error: error instanceof WebhookFailed ? error.message : 'The webhook could not be called.',
      };
    }
  }
}

function messageOf(
  alert: KeyAlert,
  { description, last6, limitPeriod }: { description: string; last6: string; limitPeriod: string },
): WebhookMessage {
  const data = {
    apiKeyId: String(alert.keyId),
    description,
    last6Chars: last6,
    limitPeriod,
    period: alert.period,
    thresholdUsd: alert.thresholdNano / 1e9,
    spentUsd: alert.spentNano / 1e9,
  };
  return {
    id: `alert_${alert.id}`,
    body: JSON.stringify({ type: 'api_key.alert', timestamp: new Date(alert.reachedAt).toISOString(), data }),
  };
}
