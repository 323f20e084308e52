'use client';

import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Notice } from '@/components/ui/notice';
import { enterKey, useOwnKey } from '@/lib/browser/credential';
import type { MintedKey } from '@/lib/client';
import { mintWords as words } from '@/lib/browser/words/wallet-keys';
import { useEffect, useRef } from 'react';

/**
 * The key, the one time it is there to be seen, and what it spends.
 * @param lackingSymbol of the token whose stake would give an allocation, where the wallet has none; null where it has, or where that is not known
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
  // What was pressed is gone, and this is what has to be done now.
  useEffect(() => {
    copy.current?.focus();
  }, []);
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
        {words.spends}
        {lackingSymbol !== null && ` ${words.noAllocation(lackingSymbol)}`}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <CopyButton
          ref={copy}
          tone="primary"
          size="md"
          text={minted.apiKey}
          label={words.copyKey}
          aria-label={words.copyKey}
        />
        <Button disabled={inUse} onClick={() => enterKey({ apiKey: minted.apiKey, remember: false })}>
          {inUse ? words.inUse : lackingSymbol === null ? words.useNow : words.useEmpty}
        </Button>
        <Button onClick={onDone}>{words.another}</Button>
      </div>
    </div>
  );
}
