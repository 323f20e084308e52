'use client';

import { useHasPassed } from '@/lib/browser/page/clock';
import { loadCode } from '@/lib/browser/page/load-code';
import { gatewayOptions } from '@/lib/browser/reads/gateway';
import { useRead } from '@/lib/browser/reads/use-read';
import { useSignIns } from '@/lib/browser/wallet/sign-in-store';
import { type ConnectedWallet, sameAddress } from '@/lib/browser/wallet/wallet-store';
import type { CallCredential, ListedKey } from '@/lib/client';
import { useCredential } from './credential';

const KEYS_MAX = 100;

/** @param everyMs interval between reads while the page is visible; null for no repeated reads */
export function useKeys(credential: CallCredential | null, everyMs: number | null = null) {
  return useRead({
    key: ['keys', credential],
    enabled: credential !== null,
    // Loaded on demand: the overview page needs this module only with a credential.
    read: async (signal): Promise<readonly ListedKey[]> => {
      const { listKeys } = await loadCode(() => import('@/lib/client/api-keys'));
      return (await listKeys(gatewayOptions(credential), { signal, limit: KEYS_MAX })).data;
    },
    staleMs: 10_000,
    onReturn: true,
    everyMs,
  });
}

/** Returns the credential for listing keys: a sign-in or, without a wallet, the user's own key, which must be ADMIN. */
export function useListCredential(wallet: ConnectedWallet | null): CallCredential | null {
  const credential = useCredential();
  const signIn = useSignIns().find(({ address }) => wallet !== null && sameAddress(address, wallet.address));
  const hasEnded = useHasPassed(signIn?.expiresAtMs ?? null);
  if (signIn !== undefined && !hasEnded) return { kind: 'signIn', signIn: signIn.header };
  if (credential.kind === 'wallet') return wallet === null ? credential.presented : null;
  return credential.kind === 'own' && wallet === null ? credential.presented : null;
}
