'use client';

import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Skeleton } from '@/components/ui/skeleton';
import { useHasPassed } from '@/lib/browser/clock';
import { usePairingLink } from '@/lib/browser/wallet/use-pairing-link';
import { walletWords } from '@/lib/browser/words/wallet';
import { useState } from 'react';
import type { Connector } from 'wagmi';
import { QrCode } from './qr-code';

/** Time after which the relay counts as slow. A reachable relay answers within a second. */
const PATIENCE_MS = 8_000;

/** Offers a phone wallet through WalletConnect: a QR code or, on the phone itself, a link. */
export function PhoneWallet({ connector, onStop }: { connector: Connector; onStop: () => void }) {
  const link = usePairingLink(connector);
  const [slowAtMs] = useState(() => Date.now() + PATIENCE_MS);
  const isSlow = useHasPassed(slowAtMs) && link === null;
  return (
    <section
      aria-label={walletWords.phone.name}
      className="grid justify-items-center gap-3 rounded-md border border-line p-4 text-sm"
    >
      <div className="grid size-62 place-items-center rounded-md bg-white p-3">
        {link === null ? (
          <Skeleton className="size-full" />
        ) : (
          <QrCode text={link} label={walletWords.phone.code} className="size-full text-black" />
        )}
      </div>
      <p role="status" className="max-w-sm text-center text-balance text-dim">
        {link !== null ? walletWords.phone.scan : isSlow ? walletWords.phone.slow : walletWords.phone.getting}
      </p>
      <div className="flex flex-wrap justify-center gap-2">
        {link !== null && (
          <>
            <Button asChild size="sm" className="hidden pointer-coarse:inline-flex">
              <a href={link}>{walletWords.phone.open}</a>
            </Button>
            <CopyButton text={link} label={walletWords.phone.copy} tone="outline" />
          </>
        )}
        <Button size="sm" onClick={onStop}>
          {walletWords.phone.stop}
        </Button>
      </div>
    </section>
  );
}
