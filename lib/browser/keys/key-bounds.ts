import type { ListedKey } from '@/lib/client';
import { formatUsdNumber } from '../amounts';
import { formatDateTime } from '../moments';
import { keyBudgetWords as words, keyListWords } from '../words/wallet-keys';

/** What a key is bounded to, and what beyond its account it may spend, as phrases. */
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

/** That it has spent what its owner wanted to be told of, in the period that was last; null where it has not. */
export function lastAlertOf({ alert }: ListedKey): string | null {
  if (!alert?.last) return null;
  const { spentUsd, reachedAt, deliveredAt } = alert.last;
  const reached = words.reached(formatUsdNumber(spentUsd), formatDateTime(Date.parse(reachedAt)));
  return alert.webhookUrl !== null && deliveredAt === null ? `${reached}; ${words.notDelivered}` : reached;
}
