import { connectorsForWallets, type Wallet } from '@rainbow-me/rainbowkit';
import { injectedWallet, walletConnectWallet } from '@rainbow-me/rainbowkit/wallets';
import { createConfig, http, injected, unstable_connector, type Config } from 'wagmi';
import type { WalletChain } from './wallet-chain';

/** How often a block is looked for while a transaction waits. */
const POLLING_MS = 1_000;

/** RainbowKit asks for one even where nothing uses it. */
const NO_PROJECT = 'none';

/**
 * The EVM side: wallets that announce themselves (EIP-6963), what is injected otherwise and, with a project of
 * WalletConnect, wallets on phones, whose provider loads when one is chosen. Where the chain has no public address of ours, it is
 * read through the wallet.
 */
export function createEvmConfig({ chain, rpcUrl }: WalletChain, walletConnectProjectId: string | null): Config {
  const wallets: ((options: { projectId: string }) => Wallet)[] = walletConnectProjectId === null ? [injectedWallet] : [injectedWallet, walletConnectWallet];
  return createConfig({
    chains: [chain],
    connectors: connectorsForWallets([{ groupName: 'Wallets', wallets }], { appName: 'Turnpike', projectId: walletConnectProjectId ?? NO_PROJECT }),
    transports: { [chain.id]: rpcUrl === null ? unstable_connector(injected) : http(rpcUrl) },
    pollingInterval: POLLING_MS,
    // Contracts of strangers must not send the page anywhere (EIP-3668).
    ccipRead: false,
    multiInjectedProviderDiscovery: true,
    ssr: true,
  });
}
