'use client';

import { DEMO_WALLET_RDNS } from '@/lib/browser/wallet/demo/announce-evm';
import { presentWallets, UNNAMED_WALLET } from '@/lib/browser/wallet/present-wallets';
import { walletWords } from '@/lib/browser/words/wallet';
import { useConnect, useConnectors } from 'wagmi';
import { WalletMakers } from './no-wallet-found';
import { PhoneWallet } from './phone-wallet';
import { SlowWallet } from './slow-wallet';
import { WalletChoice } from './wallet-choice';
import { WalletProblem } from './wallet-problem';

/** Lists this browser's EVM wallets, the demo wallet last. With WalletConnect, also offers wallets on phones. */
export function EvmWalletChoices() {
  const present = usePresentWallets();
  const { connect, isPending, variables, error, reset } = useConnect();
  const phone = useConnectors().find(({ id }) => id === WALLET_CONNECT);
  const hasOwn = useHasEvmWallet();
  // The phone choice and the QR code share one connector. The QR code appears while it connects.
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

/** Returns whether this browser has an EVM wallet besides the demo wallet. */
export function useHasEvmWallet(): boolean {
  return usePresentWallets().some(({ id }) => id !== DEMO_WALLET_RDNS);
}

/** Connector for phone wallets; exists only if the operator has a WalletConnect project. */
const WALLET_CONNECT = 'walletConnect';

function usePresentWallets() {
  return presentWallets(useConnectors(), 'ethereum' in window && Boolean(window.ethereum));
}
