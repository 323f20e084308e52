import type { ListedKey } from '@/lib/client';
import { csvText } from '@/lib/protocol/csv';

const COLUMNS = [
  'name',
  'last6',
  'type',
  'created',
  'last_used',
  'expires',
  'spent_usd',
  'limit_credits_and_usd',
  'limit_allocation_usd',
  'limit_period',
] as const;

/** Formats keys as CSV with a header line, without their secrets, which the gateway does not store. */
export function keysCsv(keys: readonly ListedKey[]): string {
  return csvText(
    COLUMNS,
    keys.map(
      ({
        description,
        last6Chars,
        apiKeyType,
        createdAt,
        lastUsedAt,
        expiresAt,
        usage,
        consumptionLimit,
        limitPeriod,
      }) => [
        description,
        last6Chars,
        apiKeyType,
        createdAt,
        lastUsedAt ?? '',
        expiresAt ?? '',
        (usage.total.usd + usage.total.diem).toFixed(9),
        limitText(consumptionLimit.usd),
        limitText(consumptionLimit.diem),
        consumptionLimit.usd === null && consumptionLimit.diem === null ? '' : limitPeriod,
      ],
    ),
  );
}

function limitText(usd: number | null): string {
  return usd === null ? '' : usd.toFixed(9);
}
