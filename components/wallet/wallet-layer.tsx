'use client';

import { useWalletSetup } from '@/lib/browser/wallet/use-wallet-setup';
import { queryClient } from '@/lib/browser/query-client';
import { QueryClientProvider } from '@tanstack/react-query';
import { ConnectionProvider, WalletProvider } from '@solana/wallet-adapter-react';
import { WagmiProvider } from 'wagmi';
import { DemoApproval } from './demo-approval';
import { WalletDialog } from './wallet-dialog';
import { WalletLink } from './wallet-link';

/** Wallets announce themselves by Wallet Standard; adapters of single wallets are a thing of the past. */
const NO_ADAPTERS: [] = [];

/**
 * Everything that wallets need, loaded when somebody asks for them. The page is not inside: it talks to wallets
 * through the store, so that it does not wait for these libraries.
 */
export function WalletLayer() {
  const setup = useWalletSetup();
  if (setup === null) return null;
  return (
    <WagmiProvider config={setup.evmConfig}>
      <QueryClientProvider client={queryClient}>
        <ConnectionProvider endpoint={setup.solanaEndpoint}>
          <WalletProvider
            wallets={NO_ADAPTERS}
            autoConnect
            localStorageKey="turnpike.solana-wallet"
            onError={ignoreError}
          >
            <WalletLink />
            <WalletDialog />
            <DemoApproval />
          </WalletProvider>
        </ConnectionProvider>
      </QueryClientProvider>
    </WagmiProvider>
  );
}

/** Said where the person asked; the adapter would log each refusal as an error beside that. */
function ignoreError(): void {}
