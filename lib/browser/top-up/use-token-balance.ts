'use client';

import { useRead } from '../reads/use-read';
import type { ConnectedWallet } from '../wallet/wallet-store';
import { isOnOtherChain, type PayRail } from './pay-rails';
import { readTokenBalance } from './token-balance';

const REFRESH_EVERY_MS = 20_000;

/**
 * Reads a wallet's balance of a rail's token, in base units. Waits for a wallet of the rail's family. If only the
 * wallet reaches the chain, also waits until the wallet is on that chain.
 */
export function useTokenBalance(rail: PayRail, wallet: ConnectedWallet | null) {
  const address = wallet?.address ?? '';
  const isEnabled =
    wallet !== null && (rail.rpcUrl !== null || (rail.family === 'evm' && !isOnOtherChain(rail, wallet)));
  const balance = useRead({
    key: ['chain', 'token', rail.network, rail.asset, address],
    enabled: isEnabled,
    read: () => readTokenBalance(rail, address),
    everyMs: REFRESH_EVERY_MS,
    staleMs: 5_000,
  });
  return { ...balance, isEnabled };
}
