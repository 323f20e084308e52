'use client';

import { Dialog, DialogContent } from '@/components/ui/dialog';
import { Button } from '@/components/ui/button';
import { useCredential } from '@/lib/browser/credential';
import { useSandbox } from '@/lib/browser/sandbox';
import { updateWallets, useWallets } from '@/lib/browser/wallet/wallet-store';
import { walletWords } from '@/lib/browser/words/wallet';
import { WALLET_FAMILIES, type WalletFamily } from '@/lib/protocol/wallet-address';
import { ConnectedWalletCard } from './connected-wallet-card';
import { EvmWalletChoices, useHasEvmWallet } from './evm-wallet-choices';
import { FundButton } from './fund-button';
import { NoWalletFound } from './no-wallet-found';
import { SolanaWalletChoices, useHasSolanaWallet } from './solana-wallet-choices';
import type { ReactNode } from 'react';

/** The wallets of this page: those that are connected, and those that could be, of both families at once. */
export function WalletDialog() {
  const { isChoosing, evm, solana } = useWallets();
  const sandbox = useSandbox();
  const missing = useMissingFamilies();
  // The next step is the one that stands out: to sign in, and then to go on.
  const paysByWallet = useCredential().kind === 'wallet';
  return (
    <Dialog open={isChoosing} onOpenChange={(open) => updateWallets({ isChoosing: open })}>
      <DialogContent title={walletWords.title} description={walletWords.description} focusTitle>
        <Family name={walletWords.families.evm}>{evm === null ? <EvmWalletChoices /> : <ConnectedWalletCard wallet={evm} />}</Family>
        <Family name={walletWords.families.solana}>{solana === null ? <SolanaWalletChoices /> : <ConnectedWalletCard wallet={solana} />}</Family>
        {missing.length > 0 && evm === null && solana === null && <NoWalletFound families={missing} />}
        {(evm !== null || solana !== null) && (
          <div className="flex flex-wrap items-start justify-between gap-2 border-t border-line pt-4">
            {sandbox.data && <FundButton label={evm !== null && solana !== null ? walletWords.fund.both : walletWords.fund.it} />}
            <Button tone={paysByWallet ? 'primary' : 'outline'} className="ml-auto" onClick={() => updateWallets({ isChoosing: false })}>
              {walletWords.done}
            </Button>
          </div>
        )}
      </DialogContent>
    </Dialog>
  );
}

/** The families of which nothing is connected, nor any wallet of the person's own is there to connect. */
function useMissingFamilies(): readonly WalletFamily[] {
  const wallets = useWallets();
  const has: Record<WalletFamily, boolean> = { evm: useHasEvmWallet(), solana: useHasSolanaWallet() };
  return WALLET_FAMILIES.filter((family) => wallets[family] === null && !has[family]);
}

function Family({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section aria-label={name} className="grid gap-2">
      <h3 className="text-sm font-medium">{name}</h3>
      {children}
    </section>
  );
}
