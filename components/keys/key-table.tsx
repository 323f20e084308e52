'use client';

import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '@/components/ui/dialog';
import { EmptyState } from '@/components/ui/empty-state';
import { Notice } from '@/components/ui/notice';
import { CELL, CellName, ColumnHeads } from '@/components/ui/table-cells';
import { forgetKey, useOwnKey } from '@/lib/browser/credential/credential';
import { useNow } from '@/lib/browser/page/clock';
import { formatUsdNumber } from '@/lib/browser/text/amounts';
import { formatDateTime } from '@/lib/browser/text/moments';
import type { CallCredential, KeyBudget, ListedKey } from '@/lib/client';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { KeyBudgetButton } from './key-budget-form';
import { useChangeKey, useRevokeKey } from './key-changes';
import { keyBudgetWords, keyListWords as words, keyListWords, revokeWords } from './key-list-words';

export function KeyTable({ keys, credential }: { keys: readonly ListedKey[]; credential: CallCredential | null }) {
  const nowMs = useNow(60_000);
  /** Key as it was before this page last changed its limits. */
  const [before, setBefore] = useState<ListedKey | null>(null);
  if (keys.length === 0) return <EmptyState drawing="key">{words.empty}</EmptyState>;
  return (
    <div className="grid gap-2">
      <table aria-label={words.title} className="w-full text-sm max-sm:block">
        <ColumnHeads
          names={[
            { name: words.columns.name },
            { name: words.columns.lastUsed },
            { name: words.columns.spent },
            { name: words.columns.scope },
            { name: words.columns.actions, isFigure: true },
          ]}
        />
        <tbody className="divide-y divide-line border-b border-line max-sm:block">
          {keys.map((key) => (
            <KeyRow key={key.id} listed={key} nowMs={nowMs} credential={credential} onChanged={() => setBefore(key)} />
          ))}
        </tbody>
      </table>
      {before !== null && (
        <UndoLimits key={before.id} before={before} credential={credential} onDone={() => setBefore(null)} />
      )}
    </div>
  );
}

function KeyRow({
  listed: key,
  nowMs,
  credential,
  onChanged,
}: {
  listed: ListedKey;
  nowMs: number;
  credential: CallCredential | null;
  onChanged: () => void;
}) {
  const hasExpired = key.expiresAt !== null && Date.parse(key.expiresAt) <= nowMs;
  const bounds = boundsOf(key);
  const alert = lastAlertOf(key);
  return (
    <tr className="max-sm:grid max-sm:py-2">
      <th scope="row" className={`${CELL} max-w-64 text-left font-normal`}>
        <span className="grid min-w-0 gap-1">
          <span className="truncate font-medium">{key.description || words.unnamed}</span>
          <span className="flex flex-wrap items-center gap-1.5">
            <code className="figures text-xs text-dim">…{key.last6Chars}</code>
            <Badge tone={key.apiKeyType === 'ADMIN' ? 'amber' : 'neutral'}>
              {key.apiKeyType === 'ADMIN' ? words.admin : words.inference}
            </Badge>
            {hasExpired && <Badge tone="bad">{words.expired}</Badge>}
            {alert !== null && <Badge tone="amber">{alert}</Badge>}
          </span>
        </span>
      </th>
      <td className={`${CELL} text-xs text-dim`}>
        <CellName>{words.columns.lastUsed}</CellName>
        {key.lastUsedAt === null ? words.neverUsed : formatDateTime(Date.parse(key.lastUsedAt))}
      </td>
      <td className={`${CELL} sm:w-48`}>
        <CellName>{words.columns.spent}</CellName>
        <Spent listed={key} />
      </td>
      <td className={`${CELL} text-xs text-dim`}>
        <CellName>{words.columns.scope}</CellName>
        <span className="grid gap-0.5 max-sm:text-right">
          {bounds.length === 0 && <span>{words.everything}</span>}
          {bounds.map((bound) => (
            <span key={bound} className="wrap-anywhere">
              {bound}
            </span>
          ))}
          <span>
            {key.expiresAt === null ? words.neverExpires : words.expires(formatDateTime(Date.parse(key.expiresAt)))}
          </span>
        </span>
      </td>
      <td className={cn(CELL, 'pr-0 text-right')}>
        <span className="flex flex-wrap justify-end gap-2">
          <KeyBudgetButton listed={key} credential={credential} onChanged={onChanged} />
          <RevokeButton listed={key} credential={credential} />
        </span>
      </td>
    </tr>
  );
}

function Spent({ listed }: { listed: ListedKey }) {
  const share = spentShareOf(listed);
  return (
    <span className="grid min-w-0 gap-1 max-sm:min-w-32 max-sm:text-right">
      <span className="figures">{formatUsdNumber(listed.usage.total.usd + listed.usage.total.diem)}</span>
      {share !== null && (
        <span aria-hidden className="h-1.5 overflow-hidden rounded-full bg-line">
          <span
            className={`block h-full rounded-full ${share >= 1 ? 'bg-bad' : 'bg-amber'}`}
            style={{ width: `${Math.min(1, share) * 100}%` }}
          />
        </span>
      )}
      <span className="text-xs text-dim">{limitOf(listed)}</span>
    </span>
  );
}

function UndoLimits({
  before,
  credential,
  onDone,
}: {
  before: ListedKey;
  credential: CallCredential | null;
  onDone: () => void;
}) {
  const change = useChangeKey(credential);
  const name = before.description || `…${before.last6Chars}`;
  return (
    <p role="status" className="flex min-h-8 items-center gap-3 text-sm text-dim">
      {change.isError ? change.error.message : keyBudgetWords.changed(name)}
      <Button
        size="sm"
        disabled={change.isPending}
        aria-label={keyBudgetWords.undoFor(name)}
        onClick={() =>
          change.mutate(
            { id: before.id, budget: budgetOf(before, credential?.kind === 'signIn') },
            { onSuccess: onDone },
          )
        }
      >
        <Undo2 aria-hidden />
        {keyBudgetWords.undo}
      </Button>
    </p>
  );
}

function limitOf({ consumptionLimit: { usd, diem }, limitPeriod }: ListedKey): string {
  const limits = [
    usd === null ? '' : words.ofUsd(formatUsdNumber(usd)),
    diem === null ? '' : words.ofAllocation(formatUsdNumber(diem)),
  ].filter((text) => text !== '');
  return limits.length === 0 ? words.noLimit : words.atMost(limits, words.periods[limitPeriod]);
}

function RevokeButton({ listed, credential }: { listed: ListedKey; credential: CallCredential | null }) {
  const [open, setOpen] = useState(false);
  const revoke = useRevokeKey(credential);
  const own = useOwnKey();
  const isOwn = own?.apiKey.endsWith(listed.last6Chars) === true;
  const name = listed.description || `…${listed.last6Chars}`;
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button size="sm" className="justify-self-start" aria-label={revokeWords.revokeKey(name)}>
          {revokeWords.revoke}
        </Button>
      </DialogTrigger>
      <DialogContent title={revokeWords.question(name)} description={revokeWords.consequence}>
        {isOwn && <p className="text-sm text-dim">{revokeWords.isInUse}</p>}
        {revoke.isError && (
          <Notice tone="bad" title={revoke.error.message}>
            {revokeWords.stillWorks}
          </Notice>
        )}
        <div className="flex justify-end gap-2">
          <DialogClose asChild>
            <Button>{revokeWords.keep}</Button>
          </DialogClose>
          <Button
            tone="primary"
            disabled={revoke.isPending}
            onClick={() =>
              revoke.mutate(listed.id, {
                onSuccess: () => setOpen(false),
              })
            }
          >
            {revoke.isPending ? revokeWords.isRevoking : revokeWords.yes}
          </Button>
          {isOwn && (
            <Button
              disabled={revoke.isPending}
              onClick={() =>
                revoke.mutate(listed.id, {
                  onSuccess: () => {
                    forgetKey('nobody');
                    setOpen(false);
                  },
                })
              }
            >
              {revokeWords.yesAndStop}
            </Button>
          )}
        </div>
      </DialogContent>
    </Dialog>
  );
}

/** Describes a key's scope and prepaid limit. */
export function boundsOf({ allow, prepaidLimitUsd, limitPeriod }: ListedKey): string[] {
  const only = [
    allow?.endpoints?.map((endpoint) => keyBudgetWords.endpointNames[endpoint]),
    allow?.networks,
    allow?.models,
  ].flatMap((names) => (names ? [keyBudgetWords.onlyFor(names.join(', '))] : []));
  if (allow?.privacy) only.push(keyBudgetWords.privacy[allow.privacy]);
  return prepaidLimitUsd === null
    ? only
    : [...only, keyBudgetWords.spendsPrepaid(formatUsdNumber(prepaidLimitUsd), keyListWords.periods[limitPeriod])];
}

/**
 * Returns the share of a key's limit that was spent in this period; 1 or more if the limit is used up, null if there is
 * no limit.
 */
export function spentShareOf({ consumptionLimit: { usd, diem }, usage: { currentPeriod } }: ListedKey): number | null {
  const shares = [
    usd === null ? null : shareOf(currentPeriod.usd, usd),
    diem === null ? null : shareOf(currentPeriod.diem, diem),
  ].filter((share) => share !== null);
  return shares.length === 0 ? null : Math.max(...shares);
}

function shareOf(spent: number, limit: number): number {
  return limit === 0 ? 1 : spent / limit;
}

/**
 * Returns the change that restores the limits of a key.
 * @param byWallet whether the request is sent with a wallet's sign-in; only a sign-in may grant prepaid money
 */
export function budgetOf({ allow, prepaidLimitUsd, alert }: ListedKey, byWallet: boolean): KeyBudget {
  return {
    allow,
    alert: alert === null ? null : { usd: alert.usd, webhookUrl: alert.webhookUrl },
    ...(byWallet && { prepaidLimitUsd }),
  };
}

/**
 * Describes the key's last spending alert: amount, time, and whether the webhook received it. Null if there was none.
 */
export function lastAlertOf({ alert }: ListedKey): string | null {
  if (!alert?.last) return null;
  const { spentUsd, reachedAt, deliveredAt } = alert.last;
  const reached = keyBudgetWords.reached(formatUsdNumber(spentUsd), formatDateTime(Date.parse(reachedAt)));
  return alert.webhookUrl !== null && deliveredAt === null ? `${reached}; ${keyBudgetWords.notDelivered}` : reached;
}
