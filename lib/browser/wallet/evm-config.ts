import { connectorsForWallets } from '@rainbow-me/rainbowkit';
import { injectedWallet } from '@rainbow-me/rainbowkit/wallets';
import { createConfig, http, injected, unstable_connector, type Config } from 'wagmi';
import { walletConnect } from 'wagmi/connectors';
import { ignoreMalformedAnnouncements } from './wallet-announcement';
import type { WalletChain } from './wallet-chain';

/** Block polling interval while a transaction waits. */
const POLLING_MS = 1_000;

const APP_NAME = 'Turnpike';
/** RainbowKit requires a project id even if nothing uses it. */
const NO_PROJECT = 'none';

/**
 * Configures EVM wallets: announced ones (EIP-6963), injected ones and, with a WalletConnect project, wallets on
 * phones. The WalletConnect provider loads when the user chooses it. The wallet reads any chain for which the gateway
 * has no public URL.
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
    // Disabled, because a foreign contract must not make the page send requests (EIP-3668).
    ccipRead: false,
    multiInjectedProviderDiscovery: true,
    ssr: true,
  });
}

/** Connects wallets on phones. This console shows the QR code, so WalletConnect's modal and telemetry stay off. */
function onPhone(projectId: string) {
  const { origin } = window.location;
  return walletConnect({
    projectId,
    showQrModal: false,
    telemetryEnabled: false,
    metadata: { name: APP_NAME, description: APP_NAME, url: origin, icons: [`${origin}/icon.svg`] },
  });
}
