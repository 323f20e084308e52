'use client';

import { Button } from '@/components/ui/button';
import { walletWords } from '@/lib/browser/words/wallet';
import { useEffect, useState } from 'react';

/** Time after which a wallet counts as slow. A wallet answers sooner, unless it waits for the user. */
const PATIENCE_MS = 6_000;

/** Tells the user where to look when the wallet has not answered for a while. Mounted while a request is open. */
export function SlowWallet({ onStop }: { onStop?: () => void }) {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" className="flex flex-wrap items-center gap-2 text-sm text-dim empty:hidden">
      {isSlow && (
        <>
          <p className="min-w-0 flex-1">{walletWords.slow.said}</p>
          {onStop && (
            <Button size="sm" onClick={onStop}>
              {walletWords.slow.stop}
            </Button>
          )}
        </>
      )}
    </div>
  );
}
