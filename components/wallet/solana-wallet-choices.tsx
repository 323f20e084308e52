'use client';

import { DEMO_WALLET_NAME } from '@/lib/browser/wallet/demo/demo-icon';
import { WalletReadyState } from '@solana/wallet-adapter-base';
import { useWallet } from '@solana/wallet-adapter-react';
import { useState } from 'react';
import { WalletMakers } from './no-wallet-found';
import { WalletChoice } from './wallet-choice';
import { WalletProblem } from './wallet-problem';

export function SolanaWalletChoices() {
  const { select, connecting, wallet } = useWallet();
  const wallets = usePresentWallets();
  const hasOwn = useHasSolanaWallet();
  const [error, setError] = useState<unknown>(null);
  const demoLast = [...wallets].sort(
    (one, other) => Number(one.adapter.name === DEMO_WALLET_NAME) - Number(other.adapter.name === DEMO_WALLET_NAME),
  );
  const choose = ({ adapter }: (typeof wallets)[number]) => {
    setError(null);
    // Selecting a wallet also connects it. Only the adapter reports why connecting failed.
    adapter.once('error', setError);
    adapter.once('connect', () => adapter.off('error', setError));
    select(adapter.name);
  };
  return (
    <>
      <div className="divide-y divide-line overflow-hidden rounded-md border border-line">
        {demoLast.map((each) => (
          <WalletChoice
            key={each.adapter.name}
            name={each.adapter.name}
            icon={each.adapter.icon}
            isDemo={each.adapter.name === DEMO_WALLET_NAME}
            isConnecting={connecting && wallet?.adapter === each.adapter}
            disabled={connecting}
            onChoose={() => choose(each)}
          />
        ))}
        {!hasOwn && <WalletMakers family="solana" />}
      </div>
      {error !== null && <WalletProblem error={error} />}
    </>
  );
}

/** Returns whether this browser has a Solana wallet besides the demo wallet. */
export function useHasSolanaWallet(): boolean {
  return usePresentWallets().some(({ adapter }) => adapter.name !== DEMO_WALLET_NAME);
}

function usePresentWallets() {
  return useWallet().wallets.filter(
    ({ readyState }) => readyState === WalletReadyState.Installed || readyState === WalletReadyState.Loadable,
  );
}
