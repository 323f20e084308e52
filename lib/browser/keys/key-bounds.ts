import type { ListedKey } from '@/lib/client';
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
