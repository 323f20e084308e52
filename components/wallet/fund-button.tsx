'use client';

import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { useFundWallets } from '@/lib/browser/wallet/use-fund-wallets';
import { Droplet } from 'lucide-react';

/** Funds every connected wallet with the sandbox's coins and tokens in one click, and says what they got. */
export function FundButton({ label = 'Fund it with test money' }: { label?: string }) {
  const { fund, isPending, error, funded } = useFundWallets();
  return (
    <div className="grid w-full gap-2">
      <Button size="sm" className="justify-self-start" disabled={isPending} onClick={fund}>
        <Droplet aria-hidden />
        {isPending ? 'Funding…' : label}
      </Button>
      {error !== null && (
        <Notice tone="bad" title={error.message}>
          The faucet gave nothing. Try again.
        </Notice>
      )}
      {funded.length > 0 && (
        <p role="status" className="text-xs text-good">
          Received {funded.join(', ')}.
        </p>
      )}
    </div>
  );
}
