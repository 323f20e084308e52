'use client';

import { Badge } from '@/components/ui/badge';
import { HeldButton } from '@/components/ui/held-button';
import { useSandbox } from '@/lib/browser/reads/settings';
import type { WalletFamily } from '@/lib/browser/wallet/wallet-store';
import { ChevronRight, ExternalLink, Wallet } from 'lucide-react';
import type { ReactNode } from 'react';
import { walletWords } from './words';

interface WalletChoiceProps {
  name: string;
  /** Data URL, because the CSP blocks images from elsewhere. */
  icon: string | undefined;
  isDemo?: boolean;
  isConnecting?: boolean;
  note?: ReactNode;
  disabled?: boolean;
  onChoose: () => void;
}

export function WalletChoice({
  name,
  icon,
  isDemo = false,
  isConnecting = false,
  note,
  disabled = false,
  onChoose,
}: WalletChoiceProps) {
  const image = icon?.trim();
  return (
    <HeldButton
      disabled={disabled}
      onClick={onChoose}
      className="flex min-h-11 w-full items-center gap-3 px-3 text-left text-sm transition-colors hover:bg-hover disabled:opacity-60 aria-disabled:cursor-default aria-disabled:opacity-60"
    >
      {image?.startsWith('data:image/') ? (
        // oxlint-disable-next-line nextjs/no-img-element -- A data URL has nothing to optimise.
        <img src={image} alt="" className="size-6 shrink-0 rounded-sm" />
      ) : (
        <Wallet aria-hidden className="size-5 shrink-0 text-dim" />
      )}
      <span className="min-w-0 flex-1 truncate">{name}</span>
      {isDemo && <Badge tone="amber">{walletWords.keyHere}</Badge>}
      {note !== undefined && <span className="text-xs text-faint">{note}</span>}
      {isConnecting && (
        <span role="status" className="text-xs text-dim">
          {walletWords.asking}
        </span>
      )}
      <ChevronRight aria-hidden className="size-4 shrink-0 text-dim" />
    </HeldButton>
  );
}

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
 * Tells a visitor which wallet families this browser lacks. If it lacks all families (`isAll`), also tells how to
 * proceed without a wallet.
 */
export function NoWalletFound({ families, isAll }: { families: readonly WalletFamily[]; isAll: boolean }) {
  const sandbox = useSandbox();
  const [first = 'evm'] = families;
  return (
    <p className="text-sm text-dim">
      {walletWords.none[families.length === 1 ? first : 'both']} {walletWords.none.thenReload}{' '}
      {isAll && (sandbox.data ? walletWords.none.withoutInSandbox : walletWords.none.without)}
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
