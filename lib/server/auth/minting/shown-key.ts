import type { ListedKey, MintedKey } from '@/lib/protocol/api-keys/terms';
import type { MintTerms } from '@/lib/protocol/api-keys/mint-request';
import type { ApiKey } from '../../db/api-keys';
import type { KeyAlert } from '../../db/key-alerts';
import type { KeyUsage, Spent } from '../../db/key-usage';

/** Formats a new key with its secret. Only this answer shows the secret. */
export function showMintedKey(
  { apiKey, id }: { apiKey: string; id: number },
  terms: MintTerms,
  webhookSecret: string | null,
): MintedKey {
  const { allow, alert, limitPrepaidNano } = terms;
  return {
    apiKey,
    id: String(id),
    ...showTerms(terms),
    ...(allow && { allow }),
    ...(limitPrepaidNano !== null && { prepaidLimitUsd: limitPrepaidNano / 1e9 }),
    ...(alert && { alert: { usd: alert.usd, webhookUrl: alert.webhookUrl ?? null } }),
    ...(webhookSecret !== null && { webhookSecret }),
  };
}

export function showListedKey(key: ApiKey, usage: KeyUsage, lastAlert: KeyAlert | null): ListedKey {
  return {
    id: String(key.id),
    ...showTerms(key),
    last6Chars: key.last6,
    usage: { currentPeriod: showSpent(usage.currentPeriod), total: showSpent(usage.total) },
    allow: key.allow,
    prepaidLimitUsd: usdOrNull(key.limitPrepaidNano),
    alert:
      key.alertNano === null
        ? null
        : { usd: key.alertNano / 1e9, webhookUrl: key.webhookUrl, last: lastAlert && showAlert(lastAlert) },
    createdAt: timeOf(key.createdAt),
    lastUsedAt: timeOrNull(usage.lastUsedAt),
    revokedAt: timeOrNull(key.revokedAt),
  };
}

function showTerms({
  type,
  description,
  expiresAt,
  limitPeriod,
  limitUsdNano,
  limitDiemNano,
}: Omit<MintTerms, 'allow' | 'alert' | 'limitPrepaidNano'>) {
  return {
    apiKeyType: type,
    description,
    consumptionLimit: { usd: usdOrNull(limitUsdNano), diem: usdOrNull(limitDiemNano) },
    limitPeriod,
    expiresAt: timeOrNull(expiresAt),
  };
}

function showAlert({ period, spentNano, reachedAt, deliveredAt, attempts, nextAttemptAt, error }: KeyAlert) {
  return {
    period,
    spentUsd: spentNano / 1e9,
    reachedAt: timeOf(reachedAt),
    deliveredAt: timeOrNull(deliveredAt),
    attempts,
    nextAttemptAt: timeOrNull(nextAttemptAt),
    error,
  };
}

function showSpent({ usd, diem }: Spent): { usd: number; diem: number } {
  return { usd: usd / 1e9, diem: diem / 1e9 };
}

function usdOrNull(nano: number | null): number | null {
  return nano === null ? null : nano / 1e9;
}

function timeOrNull(time: number | null): string | null {
  return time === null ? null : timeOf(time);
}

function timeOf(time: number): string {
  return new Date(time).toISOString();
}
