'use client';

import type { GatewaySettings, SandboxInfo } from '@/lib/client';
import { DEFAULT_BRAND } from '@/lib/protocol/brand';
import { useState } from 'react';
import type { Config } from 'wagmi';
import { useSandbox } from '../sandbox';
import { useGatewaySettings } from '../settings';
import { payRailsOf } from '../top-up/pay-rails';
import { announceEvm } from './demo/announce-evm';
import { askApproval } from './demo/approval';
import { DemoEvmProvider } from './demo/demo-evm-provider';
import { demoKeys } from './demo/demo-keys';
import { demoSolanaWallet, registerSolanaWallet } from './demo/demo-solana-wallet';
import { createEvmConfig } from './evm-config';
import { walletChainOf } from './wallet-chain';

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
