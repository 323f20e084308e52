'use client';

import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { useFundWallets } from '@/lib/browser/wallet/use-fund-wallets';
import { walletWords } from '@/lib/browser/words/wallet';
import { Droplet } from 'lucide-react';

/** Funds every connected wallet with the sandbox's coins and tokens, and shows the amounts. */
export function FundButton({ label = walletWords.fund.it }: { label?: string }) {
  const { fund, isPending, error, funded } = useFundWallets();
  return (
    <div className="grid w-full gap-2">
      <Button size="sm" className="justify-self-start" disabled={isPending} onClick={fund}>
        <Droplet aria-hidden />
        {isPending ? walletWords.fund.funding : label}
      </Button>
      {error !== null && (
        <Notice tone="bad" title={error.message}>
          {walletWords.fund.failed}
        </Notice>
      )}
      {funded.length > 0 && (
        <p role="status" className="text-xs text-good">
          {walletWords.fund.received(funded)}
        </p>
      )}
    </div>
  );
}
