import type { KeyBudget, ListedKey } from '@/lib/client';
import { formatUsdNumber } from '../amounts';
import { formatDateTime } from '../moments';
import { keyBudgetWords as words, keyListWords } from '../words/wallet-keys';

/** Lists a key's restrictions and its prepaid limit as phrases. */
export function boundsOf({ allow, prepaidLimitUsd, limitPeriod }: ListedKey): string[] {
  const only = [
    allow?.endpoints?.map((endpoint) => words.endpointNames[endpoint]),
    allow?.networks,
    allow?.models,
  ].flatMap((names) => (names ? [words.onlyFor(names.join(', '))] : []));
  return prepaidLimitUsd === null
    ? only
    : [...only, words.spendsPrepaid(formatUsdNumber(prepaidLimitUsd), keyListWords.periods[limitPeriod])];
}

/** Returns the share of its limit that a key has spent in this period, 0 to 1 or more; null without a limit. */
export function spentShareOf({ consumptionLimit: { usd, diem }, usage: { currentPeriod } }: ListedKey): number | null {
  const shares = [
    usd === null ? null : shareOf(currentPeriod.usd, usd),
    diem === null ? null : shareOf(currentPeriod.diem, diem),
  ].filter((share) => share !== null);
  return shares.length === 0 ? null : Math.max(...shares);
}

/** A limit of zero is used up. */
function shareOf(spent: number, limit: number): number {
  return limit === 0 ? 1 : spent / limit;
}

/**
 * Returns the change that gives a key these limits back.
 * @param byWallet whether a wallet's sign-in makes it; only a sign-in may grant prepaid money
 */
export function budgetOf({ allow, prepaidLimitUsd, alert }: ListedKey, byWallet: boolean): KeyBudget {
  return {
    allow,
    alert: alert === null ? null : { usd: alert.usd, webhookUrl: alert.webhookUrl },
    ...(byWallet && { prepaidLimitUsd }),
  };
}

/**
 * Describes the key's last spending alert: amount, time, and whether the webhook received it. Null if there was no
 * alert.
 */
export function lastAlertOf({ alert }: ListedKey): string | null {
  if (!alert?.last) return null;
  const { spentUsd, reachedAt, deliveredAt } = alert.last;
  const reached = words.reached(formatUsdNumber(spentUsd), formatDateTime(Date.parse(reachedAt)));
  return alert.webhookUrl !== null && deliveredAt === null ? `${reached}; ${words.notDelivered}` : reached;
}
