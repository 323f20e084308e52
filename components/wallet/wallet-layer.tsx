'use client';

import '@rainbow-me/rainbowkit/styles.css';
import { useTheme } from '@/lib/browser/theme';
import { useWalletSetup } from '@/lib/browser/wallet/use-wallet-setup';
import { darkTheme, lightTheme, RainbowKitProvider } from '@rainbow-me/rainbowkit';
import { ConnectionProvider, WalletProvider } from '@solana/wallet-adapter-react';
import { useMemo } from 'react';
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
  const { resolvedTheme } = useTheme();
  const theme = useMemo(() => (resolvedTheme === 'dark' ? darkTheme(LOOK) : lightTheme(LOOK)), [resolvedTheme]);
  if (setup === null) return null;
  return (
    <WagmiProvider config={setup.evmConfig}>
      <RainbowKitProvider theme={theme} modalSize="compact" locale="en-US">
        <ConnectionProvider endpoint={setup.solanaEndpoint}>
          <WalletProvider wallets={NO_ADAPTERS} autoConnect localStorageKey="turnpike.solana-wallet" onError={ignoreError}>
            <WalletLink />
            <WalletDialog />
            <DemoApproval />
          </WalletProvider>
        </ConnectionProvider>
      </RainbowKitProvider>
    </WagmiProvider>
  );
}

const LOOK = { accentColor: '#f2a31b', accentColorForeground: '#221500', borderRadius: 'small', fontStack: 'system', overlayBlur: 'none' } as const;

/** Said where the person asked; the adapter would log each refusal as an error beside that. */
function ignoreError(): void {}
