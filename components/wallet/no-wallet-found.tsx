'use client';

import { useSandbox } from '@/lib/browser/sandbox';
import type { WalletFamily } from '@/lib/browser/wallet/wallet-address';
import { walletWords } from '@/lib/browser/words/wallet';
import { ExternalLink } from 'lucide-react';

const WALLETS: Record<WalletFamily, readonly (readonly [name: string, href: string])[]> = {
  evm: [
    ['MetaMask', 'https://metamask.io/download'],
    ['Rabby', 'https://rabby.io'],
  ],
  solana: [
    ['Phantom', 'https://phantom.com/download'],
    ['Solflare', 'https://www.solflare.com/download'],
  ],
};

/**
 * Tells a visitor which wallet families this browser lacks. If it lacks both, also tells how to proceed without a
 * wallet.
 */
export function NoWalletFound({ families }: { families: readonly WalletFamily[] }) {
  const sandbox = useSandbox();
  const [first = 'evm'] = families;
  if (families.length === 1) {
    return (
      <p className="text-sm text-dim">
        {walletWords.none[first]} {walletWords.none.thenReload}
      </p>
    );
  }
  return (
    <p className="text-sm text-dim">
      {walletWords.none.both} {walletWords.none.thenReload}{' '}
      {sandbox.data ? walletWords.none.withoutInSandbox : walletWords.none.without}
    </p>
  );
}

export function WalletMakers({ family }: { family: WalletFamily }) {
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3 py-2.5 text-sm text-dim">
      {walletWords.none.getOne}
      {WALLETS[family].map(([name, href]) => (
        <a
          key={name}
          href={href}
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex min-h-6 items-center gap-1 text-ink underline underline-offset-4"
        >
          {name}
          <ExternalLink aria-hidden className="size-3.5" />
          <span className="sr-only"> {walletWords.none.newTab}</span>
        </a>
      ))}
    </p>
  );
}
