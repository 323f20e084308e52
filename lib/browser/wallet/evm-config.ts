import { connectorsForWallets } from '@rainbow-me/rainbowkit';
import { injectedWallet } from '@rainbow-me/rainbowkit/wallets';
import type { GatewaySettings } from '@/lib/client';
import { createConfig, http, injected, unstable_connector, type Config } from 'wagmi';
import { walletConnect } from 'wagmi/connectors';
import { ignoreMalformedAnnouncements } from './wallet-announcement';
import type { WalletChain } from './wallet-chain';

/** Block polling interval while a transaction waits. */
const POLLING_MS = 1_000;

/** RainbowKit requires a project id even if nothing uses it. */
const NO_PROJECT = 'none';

/**
 * Configures EVM wallets: announced ones (EIP-6963), injected ones and, with a WalletConnect project, wallets on
 * phones. The wallet reads any chain for which the gateway has no public URL.
 */
export function createEvmConfig(
  { chain, rpcUrl, payChains }: WalletChain,
  { name, walletConnectProjectId }: Pick<GatewaySettings, 'name' | 'walletConnectProjectId'>,
): Config {
  ignoreMalformedAnnouncements();
  const inBrowser = connectorsForWallets([{ groupName: 'Wallets', wallets: [injectedWallet] }], {
    appName: name,
    projectId: NO_PROJECT,
  });
  return createConfig({
    chains: [chain, ...payChains],
    connectors: walletConnectProjectId === null ? inBrowser : [...inBrowser, onPhone(name, walletConnectProjectId)],
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
function onPhone(name: string, projectId: string) {
  const { origin } = window.location;
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href ?? `${origin}/icon.svg`;
  return walletConnect({
    projectId,
    showQrModal: false,
    telemetryEnabled: false,
    metadata: { name, description: name, url: origin, icons: [icon] },
  });
}
