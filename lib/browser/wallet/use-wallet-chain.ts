'use client';

import { useSandbox } from '../sandbox';
import { useGatewaySettings } from '../settings';
import { type WalletChain, walletChainOf } from './wallet-chain';

/** The chain of people's wallets, by what the gateway has said of itself. */
export function useWalletChain(): WalletChain {
  const settings = useGatewaySettings();
  const sandbox = useSandbox();
  return walletChainOf(settings.data ?? null, sandbox.data ?? null);
}
