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

/** The EVM wallets that are in this browser, the demo wallet last, and with WalletConnect those on phones. Nothing is offered that is not there. */
export function EvmWalletChoices() {
  const present = usePresentWallets();
  const { connect, isPending, variables, error, reset } = useConnect();
  const phone = useConnectors().find(({ id }) => id === WALLET_CONNECT);
  const hasOwn = useHasEvmWallet();
  // One connector for the choice and for the code: it is shown while this one connects.
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

/** Whether this browser has an EVM wallet of the person's own. */
export function useHasEvmWallet(): boolean {
  return usePresentWallets().some(({ id }) => id !== DEMO_WALLET_RDNS);
}

/** The connector for wallets on phones; there only where the operator has a project of WalletConnect. */
const WALLET_CONNECT = 'walletConnect';

function usePresentWallets() {
  return presentWallets(useConnectors(), 'ethereum' in window && Boolean(window.ethereum));
}
