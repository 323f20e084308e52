'use client';

import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Skeleton } from '@/components/ui/skeleton';
import { useHasPassed } from '@/lib/browser/page/clock';
import { encodeQR } from 'qr';
import { useEffect, useMemo, useState } from 'react';
import type { Connector } from 'wagmi';
import { walletWords } from './words';

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

/**
 * Returns the pairing link (`wc:…`, EIP-1328) while a WalletConnect connector connects, else null. The page shows the
 * link but never stores it, because the link is a secret.
 */
function usePairingLink({ emitter }: Connector): string | null {
  const [link, setLink] = useState<string | null>(null);
  useEffect(() => {
    const hear = ({ type, data }: { type: string; data?: unknown }) => {
      if (type === 'display_uri' && typeof data === 'string') setLink(data);
    };
    emitter.on('message', hear);
    return () => emitter.off('message', hear);
  }, [emitter]);
  return link;
}

/** Width of the white border in modules. Scanners need four (ISO/IEC 18004); the surrounding padding adds three. */
const BORDER = 1;

export function QrCode({ text, label, className }: { text: string; label: string; className: string }) {
  const modules = useMemo(() => encodeQR(text, 'raw', { ecc: 'medium', border: BORDER }), [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${modules.length} ${modules.length}`}
      shapeRendering="crispEdges"
      className={className}
    >
      <path d={pathOf(modules)} fill="currentColor" />
    </svg>
  );
}

/** Returns an SVG path with one rectangle for each horizontal run of dark modules. */
export function pathOf(modules: readonly (readonly boolean[])[]): string {
  return modules.flatMap((row, y) => runsOf(row).map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`)).join('');
}

function runsOf(row: readonly boolean[]): [start: number, length: number][] {
  const runs: [number, number][] = [];
  row.forEach((isDark, x) => {
    const last = runs.at(-1);
    if (!isDark) return;
    if (last && last[0] + last[1] === x) last[1] += 1;
    else runs.push([x, 1]);
  });
  return runs;
}
