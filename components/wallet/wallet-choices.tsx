'use client';

import { DEMO_WALLET_NAME, DEMO_WALLET_RDNS } from '@/lib/browser/wallet/demo/demo-evm-provider';
import { presentWallets, UNNAMED_WALLET } from '@/lib/browser/wallet/wallet-announcement';
import { WalletReadyState } from '@solana/wallet-adapter-base';
import { useWallet } from '@solana/wallet-adapter-react';
import { useState } from 'react';
import { useConnect, useConnectors } from 'wagmi';
import { PhoneWallet } from './phone-wallet';
import { WalletChoice, WalletMakers } from './wallet-choice';
import { SlowWallet, WalletProblem } from './wallet-problem';
import { walletWords } from './words';

/** Lists this browser's EVM wallets, the demo wallet last. With WalletConnect, also offers wallets on phones. */
export function EvmWalletChoices() {
  const present = usePresentWallets();
  const { connect, isPending, variables, error, reset } = useConnect();
  const phone = useConnectors().find(({ id }) => id === WALLET_CONNECT);
  const hasOwn = useHasEvmWallet();
  // The phone choice and the QR code share one connector. The QR code appears while the connector connects.
  if (isPending && phone && variables?.connector === phone) return <PhoneWallet connector={phone} onStop={reset} />;
  return (
    <>
      <div className="divide-y divide-line overflow-hidden rounded-md border border-line">
        {present.map((connector) => (
          <WalletChoice
            key={connector.uid}
            name={connector.id === UNNAMED_WALLET ? walletWords.unnamed : connector.name}
            icon={connector.icon}
            isDemo={connector.id === DEMO_WALLET_RDNS}
            isConnecting={isPending && variables?.connector === connector}
            disabled={isPending}
            onChoose={() => connect({ connector })}
          />
        ))}
        {phone && (
          <WalletChoice
            name={walletWords.phone.name}
            icon={undefined}
            note={walletWords.phone.note}
            disabled={isPending}
            onChoose={() => connect({ connector: phone })}
          />
        )}
        {!hasOwn && <WalletMakers family="evm" />}
      </div>
      {isPending && <SlowWallet onStop={reset} />}
      {error !== null && <WalletProblem error={error} onRetry={variables && (() => connect(variables))} />}
    </>
  );
}

export function useHasEvmWallet(): boolean {
  return usePresentWallets().some(({ id }) => id !== DEMO_WALLET_RDNS);
}

/** Id of a connector that exists only if the operator has configured a WalletConnect project. */
const WALLET_CONNECT = 'walletConnect';

function usePresentWallets() {
  return presentWallets(useConnectors(), 'ethereum' in window && Boolean(window.ethereum));
}

export function SolanaWalletChoices() {
  const { select, connecting, wallet } = useWallet();
  const wallets = usePresentSolanaWallets();
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

export function useHasSolanaWallet(): boolean {
  return usePresentSolanaWallets().some(({ adapter }) => adapter.name !== DEMO_WALLET_NAME);
}

function usePresentSolanaWallets() {
  return useWallet().wallets.filter(
    ({ readyState }) => readyState === WalletReadyState.Installed || readyState === WalletReadyState.Loadable,
  );
}
