'use client';

import { Dialog, DialogContent } from '@/components/ui/dialog';
import { useSandbox } from '@/lib/browser/sandbox';
import { updateWallets, useWallets } from '@/lib/browser/wallet/wallet-store';
import { ConnectedWalletCard } from './connected-wallet-card';
import { EvmWalletChoices } from './evm-wallet-choices';
import { FundButton } from './fund-button';
import { SolanaWalletChoices } from './solana-wallet-choices';
import type { ReactNode } from 'react';

/** The wallets of this page: those that are connected, and those that could be, of both families at once. */
export function WalletDialog() {
  const { isChoosing, evm, solana } = useWallets();
  const sandbox = useSandbox();
  return (
    <Dialog open={isChoosing} onOpenChange={(open) => updateWallets({ isChoosing: open })}>
      <DialogContent title="Wallets" description="Connect one for Ethereum's chains, one for Solana, or both. Connecting shows your address and signs nothing.">
        <Family name="Ethereum and EVM chains">{evm === null ? <EvmWalletChoices /> : <ConnectedWalletCard wallet={evm} />}</Family>
        <Family name="Solana">{solana === null ? <SolanaWalletChoices /> : <ConnectedWalletCard wallet={solana} />}</Family>
        {sandbox.data && (evm !== null || solana !== null) && (
          <div className="border-t border-line pt-4">
            <FundButton label={evm !== null && solana !== null ? 'Fund both with test money' : 'Fund it with test money'} />
          </div>
        )}
      </DialogContent>
    </Dialog>
  );
}

function Family({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section aria-label={name} className="grid gap-2">
      <h3 className="text-sm font-medium">{name}</h3>
      {children}
    </section>
  );
}
