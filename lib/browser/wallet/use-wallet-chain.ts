'use client';

import { useSandbox } from '../sandbox';
import { useGatewaySettings } from '../settings';
import { type WalletChain, walletChainOf } from './wallet-chain';

export function useWalletChain(): WalletChain {
  const settings = useGatewaySettings();
  const sandbox = useSandbox();
  return walletChainOf(settings.data ?? null, sandbox.data ?? null);
}
