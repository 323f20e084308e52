'use client';

import { Button } from '@/components/ui/button';
import { walletWords } from '@/lib/browser/words/wallet';
import { useEffect, useState } from 'react';

/** A wallet that is there answers sooner, unless it waits for its person. */
const PATIENCE_MS = 6_000;

/** After a while without an answer of the wallet: where to look, and a way to stop waiting where there is one. Mounted while it is asked. */
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
