'use client';

import { DEMO_WALLET_NAME } from '@/lib/browser/wallet/demo/demo-icon';
import { WalletReadyState } from '@solana/wallet-adapter-base';
import { useWallet } from '@solana/wallet-adapter-react';
import { useState } from 'react';
import { WalletChoice } from './wallet-choice';
import { WalletProblem } from './wallet-problem';

/** The Solana wallets of this browser, the demo wallet last. */
export function SolanaWalletChoices() {
  const { wallets: known, select, connecting, wallet } = useWallet();
  const [error, setError] = useState<unknown>(null);
  const wallets = known.filter(({ readyState }) => readyState === WalletReadyState.Installed || readyState === WalletReadyState.Loadable);
  const demoLast = [...wallets].sort((one, other) => Number(one.adapter.name === DEMO_WALLET_NAME) - Number(other.adapter.name === DEMO_WALLET_NAME));
  const choose = ({ adapter }: (typeof wallets)[number]) => {
    setError(null);
    // Selecting connects, and only the adapter itself hears why it failed.
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
        {wallets.length === 0 && <p className="px-3 py-3 text-sm text-dim">No Solana wallet was found in this browser. Install Phantom or another that follows Wallet Standard, then reload.</p>}
      </div>
      {error !== null && <WalletProblem error={error} />}
    </>
  );
}
