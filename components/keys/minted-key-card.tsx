'use client';

import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Notice } from '@/components/ui/notice';
import { formatUsdNumber } from '@/lib/browser/amounts';
import { enterKey, useOwnKey } from '@/lib/browser/credential';
import type { MintedKey } from '@/lib/client';
import { mintWords as words } from '@/lib/browser/words/wallet-keys';
import { useEffect, useRef } from 'react';
import { FirstKeyCall } from './first-key-call';
import { KEYS_ANCHOR } from './keys-anchor';

/**
 * Shows the new key once, and which money it spends.
 * @param lackingSymbol token whose stake would give an allocation, if the wallet has no such stake; else null
 */
export function MintedKeyCard({
  minted,
  lackingSymbol,
  onDone,
}: {
  minted: MintedKey;
  lackingSymbol: string | null;
  onDone: () => void;
}) {
  const copy = useRef<HTMLButtonElement>(null);
  // Moves focus to Copy, because the pressed button is gone.
  useEffect(() => {
    copy.current?.focus();
  }, []);
  const hasMoney = lackingSymbol === null || minted.prepaidLimitUsd !== undefined;
  const inUse = useOwnKey()?.apiKey === minted.apiKey;
  return (
    <div className="grid gap-3">
      <Notice tone="warn" title={words.copyNow}>
        {words.onlyHash}
      </Notice>
      <code
        aria-label={words.newKey}
        className="figures rounded-md border border-line bg-surface px-3 py-2 text-sm break-all"
      >
        {minted.apiKey}
      </code>
      <p className="text-sm text-dim">
        {minted.prepaidLimitUsd !== undefined
          ? words.spendsPrepaid(formatUsdNumber(minted.prepaidLimitUsd))
          : lackingSymbol === null
            ? words.spendsAllocation
            : words.spendsNothing(lackingSymbol)}
      </p>
      {hasMoney && <FirstKeyCall apiKey={minted.apiKey} />}
      <div className="flex flex-wrap items-center gap-2">
        <CopyButton
          ref={copy}
          tone="primary"
          size="md"
          text={minted.apiKey}
          label={words.copyKey}
          aria-label={words.copyKey}
        />
        {!hasMoney ? (
          <Button asChild>
            <a href={`#${KEYS_ANCHOR}`}>{words.addMoney}</a>
          </Button>
        ) : (
          <Button disabled={inUse} onClick={() => enterKey({ apiKey: minted.apiKey, remember: false })}>
            {inUse ? words.inUse : words.useNow}
          </Button>
        )}
        <Button onClick={onDone}>{words.another}</Button>
      </div>
    </div>
  );
}
