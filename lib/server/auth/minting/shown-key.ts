import type { ListedKey, MintedKey } from '@/lib/protocol/api-keys/terms';
import type { MintTerms } from '@/lib/protocol/api-keys/mint-request';
import type { ApiKey } from '../../db/api-keys';
import type { KeyUsage, Spent } from '../../db/key-usage';

/** A key that was just made, as its owner sees it this once. */
export function showMintedKey({ apiKey, id }: { apiKey: string; id: number }, terms: MintTerms): MintedKey {
  return { apiKey, id: String(id), ...showTerms(terms) };
}

/** A key as it is listed: without the key, which nobody has but its owner. */
export function showListedKey(key: ApiKey, usage: KeyUsage): ListedKey {
  return {
    id: String(key.id),
    ...showTerms(key),
    last6Chars: key.last6,
    usage: { currentPeriod: showSpent(usage.currentPeriod), total: showSpent(usage.total) },
    createdAt: timeOf(key.createdAt),
    lastUsedAt: timeOrNull(usage.lastUsedAt),
    revokedAt: timeOrNull(key.revokedAt),
  };
}

function showTerms({ type, description, expiresAt, limitPeriod, limitUsdNano, limitDiemNano }: MintTerms) {
  return {
    apiKeyType: type,
    description,
    consumptionLimit: { usd: usdOrNull(limitUsdNano), diem: usdOrNull(limitDiemNano) },
    limitPeriod,
    expiresAt: timeOrNull(expiresAt),
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
