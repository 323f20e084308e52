'use client';

import { Badge } from '@/components/ui/badge';
import { HeldButton } from '@/components/ui/held-button';
import { walletWords } from '@/lib/browser/words/wallet';
import { ChevronRight, Wallet } from 'lucide-react';
import type { ReactNode } from 'react';

interface WalletChoiceProps {
  name: string;
  /** Data URL, because the CSP allows no other image. */
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
