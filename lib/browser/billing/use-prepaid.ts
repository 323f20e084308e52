'use client';

import { readBalance } from '@/lib/client';
import { useHasPassed } from '../clock';
import { gatewayOptions } from '../gateway';
import { useRead } from '../reads/use-read';
import { useSignIns } from '../wallet/sign-in-store';
import { sameAddress } from '../wallet/wallet-address';

/** Returns a wallet's prepaid balance in USD; null before sign-in or while unknown. */
export function usePrepaid(address: string): number | null {
  const signIn = useSignIns().find((each) => sameAddress(each.address, address));
  const hasEnded = useHasPassed(signIn?.expiresAtMs ?? null);
  const presented = signIn === undefined || hasEnded ? null : ({ kind: 'signIn', signIn: signIn.header } as const);
  const { data } = useRead({
    key: ['balance', presented],
    enabled: presented !== null,
    read: (signal) => readBalance(gatewayOptions(presented), { signal }),
    staleMs: 5_000,
  });
  return presented === null ? null : (data?.x402Usd ?? null);
}
