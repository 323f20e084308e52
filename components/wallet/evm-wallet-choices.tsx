'use client';

import { DEMO_WALLET_RDNS } from '@/lib/browser/wallet/demo/announce-evm';
import { updateWallets } from '@/lib/browser/wallet/wallet-store';
import { useConnectModal } from '@rainbow-me/rainbowkit';
import { useConnect, useConnectors } from 'wagmi';
import { WalletChoice } from './wallet-choice';
import { WalletProblem } from './wallet-problem';

/** The EVM wallets of this browser, the demo wallet last, and RainbowKit's list for all others. */
export function EvmWalletChoices() {
  const announced = useConnectors().filter(({ type, id, icon }) => type === 'injected' && id !== 'injected' && icon !== undefined);
  const demoLast = [...announced].sort((one, other) => Number(one.id === DEMO_WALLET_RDNS) - Number(other.id === DEMO_WALLET_RDNS));
  const { connect, isPending, variables, error } = useConnect();
  const { openConnectModal } = useConnectModal();
  return (
    <>
      <div className="divide-y divide-line overflow-hidden rounded-md border border-line">
        {demoLast.map((connector) => (
          <WalletChoice
            key={connector.uid}
            name={connector.name}
            icon={connector.icon}
            isDemo={connector.id === DEMO_WALLET_RDNS}
            isConnecting={isPending && variables?.connector === connector}
            disabled={isPending}
            onChoose={() => connect({ connector })}
          />
        ))}
        {openConnectModal && (
          <WalletChoice
            name={announced.length > 0 ? 'Another wallet' : 'Choose a wallet'}
            icon={undefined}
            note="MetaMask, Rabby and others"
            disabled={isPending}
            onChoose={() => {
              // Two modal dialogs would hold each other's focus.
              updateWallets({ isChoosing: false });
              openConnectModal();
            }}
          />
        )}
      </div>
      {error !== null && <WalletProblem error={error} onRetry={variables && (() => connect(variables))} />}
    </>
  );
}
