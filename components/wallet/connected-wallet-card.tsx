'use client';

import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { endUseOf } from '@/lib/browser/credential';
import { useWalletChain } from '@/lib/browser/wallet/use-wallet-chain';
import { walletFailureOf } from '@/lib/browser/wallet/wallet-failure';
import { type ConnectedWallet, walletState } from '@/lib/browser/wallet/wallet-store';
import { walletWords } from '@/lib/browser/words/wallet';
import { useState } from 'react';
import { SignInStatus } from './sign-in-status';
import { SwitchChainButton } from './switch-chain-button';

export function ConnectedWalletCard({ wallet }: { wallet: ConnectedWallet }) {
  const { chain, payChains } = useWalletChain();
  const [problem, setProblem] = useState<string | null>(null);
  const at = [chain, ...payChains].find(({ id }) => id === wallet.chainId);
  const isElsewhere = wallet.family === 'evm' && at === undefined;
  const disconnect = () => {
    // A disconnected wallet must not continue to pay.
    endUseOf(wallet.address);
    walletState()
      .layer?.disconnect(wallet.family)
      .catch((error: unknown) => setProblem(walletFailureOf(error).sentence));
  };
  return (
    <div className="grid gap-3 rounded-md border border-line p-3">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <span className="font-medium">{wallet.walletName}</span>
        {wallet.isDemo && <Badge tone="amber">{walletWords.keyHere}</Badge>}
        {isElsewhere ? <Badge tone="bad">{walletWords.elsewhere}</Badge> : at !== undefined && <Badge>{at.name}</Badge>}
        <span className="flex-1" />
        <Button size="sm" tone="quiet" onClick={disconnect}>
          {walletWords.disconnect}
        </Button>
      </div>
      <div className="flex items-center gap-1 rounded-md border border-line bg-surface py-1 pr-1 pl-2.5">
        <code className="figures min-w-0 flex-1 text-xs break-all">{wallet.address}</code>
        <CopyButton text={wallet.address} label={walletWords.copyAddress(wallet.walletName)} iconOnly />
      </div>
      {isElsewhere && (
        <div className="flex flex-wrap items-center gap-2">
          <SwitchChainButton />
        </div>
      )}
      <SignInStatus wallet={wallet} />
      {problem !== null && (
        <p role="alert" className="text-xs text-bad">
          {problem}
        </p>
      )}
    </div>
  );
}
