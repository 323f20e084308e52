import { connectorsForWallets } from '@rainbow-me/rainbowkit';
import { injectedWallet } from '@rainbow-me/rainbowkit/wallets';
import { createConfig, http, injected, unstable_connector, type Config } from 'wagmi';
import { walletConnect } from 'wagmi/connectors';
import { ignoreMalformedAnnouncements } from './wallet-announcement';
import type { WalletChain } from './wallet-chain';

/** How often a block is looked for while a transaction waits. */
const POLLING_MS = 1_000;

const APP_NAME = 'Turnpike';
/** RainbowKit asks for one even where nothing uses it. */
const NO_PROJECT = 'none';

/**
 * The EVM side: wallets that announce themselves (EIP-6963), what is injected otherwise and, with a project of
 * WalletConnect, wallets on phones, whose provider loads when one is chosen. Where the chain has no public address of ours, it is
 * read through the wallet.
 */
export function createEvmConfig(
  { chain, rpcUrl, payChains }: WalletChain,
  walletConnectProjectId: string | null,
): Config {
  ignoreMalformedAnnouncements();
  const inBrowser = connectorsForWallets([{ groupName: 'Wallets', wallets: [injectedWallet] }], {
    appName: APP_NAME,
    projectId: NO_PROJECT,
  });
  return createConfig({
    chains: [chain, ...payChains],
    connectors: walletConnectProjectId === null ? inBrowser : [...inBrowser, onPhone(walletConnectProjectId)],
    transports: {
      ...Object.fromEntries(payChains.map(({ id }) => [id, unstable_connector(injected)])),
      [chain.id]: rpcUrl === null ? unstable_connector(injected) : http(rpcUrl),
    },
    pollingInterval: POLLING_MS,
    // Contracts of strangers must not send the page anywhere (EIP-3668).
    ccipRead: false,
    multiInjectedProviderDiscovery: true,
    ssr: true,
  });
}

/** The code to scan is shown by this console: WalletConnect's own window, and what that reports, stay away. */
function onPhone(projectId: string) {
  const { origin } = window.location;
  return walletConnect({
    projectId,
    showQrModal: false,
    telemetryEnabled: false,
    metadata: { name: APP_NAME, description: APP_NAME, url: origin, icons: [`${origin}/icon.svg`] },
  });
}
