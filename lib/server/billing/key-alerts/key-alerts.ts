import { setImmediate as turn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { periodName } from '@/lib/protocol/api-keys/limit-period';
import { findApiKey } from '../../db/api-keys';
import { endAttempt, type KeyAlert, noteAlert, takeAlert, watchedKeys } from '../../db/key-alerts';
import { readKeyUsage } from '../../db/key-usage';
import type { Database } from '../../db/schema';
import { type WebhookMessage, WebhookFailed } from './webhook';

const INTERVAL_MS = 15_000;
/** Keys that one look reads at a time, and messages that it sends. */
const PAGE = 100;
const SENT_MAX = 50;
/** Longer than a message takes. */
const LEASE_MS = 60_000;
/** Before each further attempt: five seconds to a day, some 31 hours in all. */
const RETRY_DELAYS_MS = [5_000, 30_000, 120_000, 600_000, 3_600_000, 21_600_000, 86_400_000] as const;

export interface KeyAlertsSettings {
  db: Database;
  webhooks: { send(keyId: number, url: string, message: WebhookMessage, now: number): Promise<void> };
  now: () => number;
  log: Logger;
}

/**
 * Tells owners that a key has spent, in the period that runs, what they wanted to be told of: once a period and amount, in
 * the list of keys, and where they gave an address there too, again and again until it is taken. What was spent is read from
 * the ledger, so that a charge costs nothing for it. Any number of gateways may do this on one database: an alert is noted
 * once, and sent by one of them at a time. A process that dies while it sends has it sent twice, under one id.
 */
export class KeyAlerts {
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;
  #isStopped = false;

  constructor(private readonly settings: KeyAlertsSettings) {}

  /** Looks again and again, until it is stopped. */
  start(): void {
    this.#timer = setInterval(() => void this.run(), INTERVAL_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer) clearInterval(this.#timer);
    await this.#running;
  }

  /** One look, and what is to be sent. What fails is logged, and done with the next one. */
  run(): Promise<void> {
    const { log } = this.settings;
    this.#running ??= this.#look()
      .then(() => this.#send())
      .catch((error: unknown) => {
        if (!this.#isStopped) log.warn({ err: error }, 'alerts of API keys could not be looked at');
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
      if (!(error instanceof WebhookFailed)) log.warn({ err: error }, 'an alert of an API key could not be sent');
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
