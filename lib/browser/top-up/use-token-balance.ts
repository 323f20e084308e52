'use client';

import { useQuery } from '@tanstack/react-query';
import type { ConnectedWallet } from '../wallet/wallet-store';
import type { PayRail } from './pay-rails';
import { readTokenBalance } from './token-balance';

const REFRESH_EVERY_MS = 20_000;

/** What a wallet holds of a rail's token, in base units; asked once there is a wallet of the rail's family. */
export function useTokenBalance(rail: PayRail, wallet: ConnectedWallet | null) {
  const address = wallet?.address ?? '';
  return useQuery({
    queryKey: ['chain', 'token', rail.network, rail.asset, address],
    enabled: wallet !== null && (rail.rpcUrl !== null || rail.family === 'evm'),
    queryFn: () => readTokenBalance(rail, address),
    refetchInterval: REFRESH_EVERY_MS,
    staleTime: 5_000,
  });
}
