'use client';

import { Badge } from '@/components/ui/badge';
import { formatUsdNumber } from '@/lib/browser/amounts';
import { useNow } from '@/lib/browser/clock';
import { formatDateTime } from '@/lib/browser/moments';
import type { CallCredential, ListedKey } from '@/lib/client';
import { keyListWords as words } from '@/lib/browser/words/wallet-keys';
import { boundsOf, lastAlertOf } from '@/lib/browser/keys/key-bounds';
import { KeyBudgetButton } from './key-budget-button';
import { RevokeButton } from './revoke-button';

export function KeyTable({ keys, credential }: { keys: readonly ListedKey[]; credential: CallCredential | null }) {
  const nowMs = useNow(60_000);
  if (keys.length === 0)
    return (
      <p className="rounded-md border border-dashed border-edge px-4 py-8 text-center text-sm text-dim">
        {words.empty}
      </p>
    );
  return (
    <ul className="divide-y divide-line rounded-md border border-line">
      {keys.map((key) => {
        const hasExpired = key.expiresAt !== null && Date.parse(key.expiresAt) <= nowMs;
        return (
          <li
            key={key.id}
            className="grid gap-x-6 gap-y-2 px-3 py-3 text-sm sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center"
          >
            <div className="grid min-w-0 gap-1">
              <p className="flex min-w-0 flex-wrap items-center gap-2">
                <span className="truncate font-medium">{key.description || words.unnamed}</span>
                <code className="figures text-xs text-dim">…{key.last6Chars}</code>
                <Badge tone={key.apiKeyType === 'ADMIN' ? 'amber' : 'neutral'}>
                  {key.apiKeyType === 'ADMIN' ? words.admin : words.inference}
                </Badge>
                {hasExpired && <Badge tone="bad">{words.expired}</Badge>}
                {lastAlertOf(key) !== null && <Badge tone="amber">{lastAlertOf(key)}</Badge>}
              </p>
              <p className="flex flex-wrap gap-x-4 gap-y-0.5 text-xs text-dim">
                <span>
                  {key.lastUsedAt === null
                    ? words.neverUsed
                    : words.lastUsed(formatDateTime(Date.parse(key.lastUsedAt)))}
                </span>
                <span>
                  {words.spent}{' '}
                  <span className="figures text-ink">
                    {formatUsdNumber(key.usage.total.usd + key.usage.total.diem)}
                  </span>
                </span>
                <span>{limitOf(key)}</span>
                {boundsOf(key).map((bound) => (
                  <span key={bound}>{bound}</span>
                ))}
                <span>
                  {key.expiresAt === null
                    ? words.neverExpires
                    : words.expires(formatDateTime(Date.parse(key.expiresAt)))}
                </span>
              </p>
            </div>
            <div className="flex flex-wrap gap-2">
              <KeyBudgetButton listed={key} credential={credential} />
              <RevokeButton listed={key} credential={credential} />
            </div>
          </li>
        );
      })}
    </ul>
  );
}

function limitOf({ consumptionLimit: { usd, diem }, limitPeriod }: ListedKey): string {
  const limits = [
    usd === null ? '' : words.ofUsd(formatUsdNumber(usd)),
    diem === null ? '' : words.ofAllocation(formatUsdNumber(diem)),
  ].filter((text) => text !== '');
  return limits.length === 0 ? words.noLimit : words.atMost(limits, words.periods[limitPeriod]);
}
