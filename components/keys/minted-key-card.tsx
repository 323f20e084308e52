'use client';

import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Notice } from '@/components/ui/notice';
import { enterKey, useOwnKey } from '@/lib/browser/credential';
import type { MintedKey } from '@/lib/client';

/** The key, the one time it is there to be seen. */
export function MintedKeyCard({ minted, onDone }: { minted: MintedKey; onDone: () => void }) {
  const inUse = useOwnKey()?.apiKey === minted.apiKey;
  return (
    <div className="grid gap-3">
      <Notice tone="warn" title="Copy the key now: it is shown this once.">
        The gateway keeps only its hash. If it is lost, revoke it and mint another.
      </Notice>
      <div className="flex items-center gap-1 rounded-md border border-line bg-surface py-1 pr-1 pl-3">
        <code aria-label="The new key" className="figures min-w-0 flex-1 text-sm break-all">
          {minted.apiKey}
        </code>
        <CopyButton text={minted.apiKey} label="Copy the new key" iconOnly />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button tone="primary" disabled={inUse} onClick={() => enterKey({ apiKey: minted.apiKey, remember: false })}>
          {inUse ? 'In use for calls' : 'Use it now'}
        </Button>
        <Button onClick={onDone}>Mint another</Button>
      </div>
    </div>
  );
}
