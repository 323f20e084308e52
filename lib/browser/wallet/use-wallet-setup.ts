'use client';

import { useGatewaySettings, useSandbox } from '@/lib/browser/reads/settings';
import { createStoredValue } from '@/lib/browser/storage/stored-value';
import type { GatewaySettings, SandboxInfo } from '@/lib/client';
import { DEFAULT_BRAND } from '@/lib/protocol/brand';
import { bytesToHex } from '@noble/hashes/utils.js';
import { connectorsForWallets } from '@rainbow-me/rainbowkit';
import { injectedWallet } from '@rainbow-me/rainbowkit/wallets';
import { useState } from 'react';
import { type Config, createConfig, http, injected, unstable_connector } from 'wagmi';
import { walletConnect } from 'wagmi/connectors';
import { announceEvm, DemoEvmProvider } from './demo/demo-evm-provider';
import { askApproval } from './demo/approval';
import { demoSolanaWallet, registerSolanaWallet } from './demo/demo-solana-wallet';
import { payRailsOf } from './pay-rails';
import { ignoreMalformedAnnouncements } from './wallet-announcement';
import { type WalletChain, walletChainOf } from './wallet-chain';

export interface WalletSetup {
  evmConfig: Config;
  solanaEndpoint: string;
}

/** Wallets receive this URL; the page never calls it. */
const SOLANA_MAINNET = 'https://api.mainnet-beta.solana.com';

let setup: WalletSetup | null = null;

/** Returns the setup, created once per page; null until the gateway's settings arrive. */
export function useWalletSetup(): WalletSetup | null {
  const settings = useGatewaySettings();
  const sandbox = useSandbox();
  const isKnown = !sandbox.isPending && !settings.isPending;
  const [made, setMade] = useState<WalletSetup | null>(setup);
  if (made === null && isKnown) setMade((setup ??= setUpWallets(settings.data ?? null, sandbox.data ?? null)));
  return made;
}

function setUpWallets(settings: GatewaySettings | null, sandbox: SandboxInfo | null): WalletSetup {
  const walletChain = walletChainOf(settings, sandbox);
  const { chain, rpcUrl } = walletChain;
  // Announces the demo wallets before other code looks for wallets.
  if (sandbox !== null && rpcUrl !== null) {
    const keys = demoKeys();
    const rails = payRailsOf(settings, sandbox);
    announceEvm(new DemoEvmProvider({ secret: keys.evm, chain, rpcUrl, rails, ask: askApproval }));
    registerSolanaWallet(demoSolanaWallet({ secret: keys.solana, rails, ask: askApproval }));
  }
  return {
    evmConfig: createEvmConfig(walletChain, settings ?? { name: DEFAULT_BRAND.name, walletConnectProjectId: null }),
    solanaEndpoint: sandbox?.solana?.rpcUrl ?? SOLANA_MAINNET,
  };
}

/** Interval of polling for blocks while a transaction is pending. */
const POLLING_MS = 1_000;

/** RainbowKit requires a project id even if nothing uses it. */
const NO_PROJECT = 'none';

/**
 * Configures EVM wallets: announced ones (EIP-6963), injected ones and, with a WalletConnect project, wallets on
 * phones. A chain without a public gateway URL is read through the wallet.
 */
function createEvmConfig(
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
    // Off, because a foreign contract could otherwise make the page send requests (EIP-3668).
    ccipRead: false,
    multiInjectedProviderDiscovery: true,
    ssr: true,
  });
}

/** This console shows the QR code, so WalletConnect's modal and telemetry stay off. */
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

/** Secrets of this browser's demo wallets, 32 bytes in hex each. They control only sandbox money. */
export interface DemoKeys {
  evm: `0x${string}`;
  solana: `0x${string}`;
}

const demoKeyStore = createStoredValue<DemoKeys | null>({
  key: 'turnpike.demo-wallets',
  initial: null,
  parse: parseDemoKeys,
});

function demoKeys(): DemoKeys {
  const kept = demoKeyStore.get();
  if (kept !== null) return kept;
  // 32 random bytes exceed the order of secp256k1 with probability 2^-128.
  const made = { evm: randomSecret(), solana: randomSecret() };
  demoKeyStore.set(made);
  return made;
}

export function parseDemoKeys(stored: unknown): DemoKeys | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { evm, solana } = stored as Partial<Record<keyof DemoKeys, unknown>>;
  return isSecret(evm) && isSecret(solana) ? { evm, solana } : null;
}

function randomSecret(): `0x${string}` {
  return `0x${bytesToHex(crypto.getRandomValues(new Uint8Array(32)))}`;
}

function isSecret(value: unknown): value is `0x${string}` {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/.test(value);
}
