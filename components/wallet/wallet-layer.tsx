'use client';

import { useWalletSetup } from '@/lib/browser/wallet/use-wallet-setup';
import { queryClient } from '@/lib/browser/query-client';
import { QueryClientProvider } from '@tanstack/react-query';
import { ConnectionProvider, WalletProvider } from '@solana/wallet-adapter-react';
import { WagmiProvider } from 'wagmi';
import { DemoApproval } from './demo-approval';
import { WalletDialog } from './wallet-dialog';
import { WalletLink } from './wallet-link';

/** Adapters for single wallets. None, because wallets announce themselves through Wallet Standard. */
const NO_ADAPTERS: [] = [];

/**
 * Wallet libraries and their providers, loaded on demand. The page uses wallets through the store, so that it does not
 * wait for the libraries.
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

/**
 * Ignores errors, which the requesting component shows. Without a handler, the adapter would log each refusal as an
 * error.
 */
function ignoreError(): void {}
