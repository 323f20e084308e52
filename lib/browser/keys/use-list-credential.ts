'use client';

import type { CallCredential } from '@/lib/client';
import { useHasPassed } from '../clock';
import { useCredential } from '../credential';
import { useSignIns } from '../wallet/sign-in-store';
import { sameAddress } from '../wallet/wallet-address';
import type { ConnectedWallet } from '../wallet/wallet-store';

/** Returns the credential for listing keys: the wallet's sign-in, else an API key, which must be an ADMIN key. */
export function useListCredential(wallet: ConnectedWallet | null): CallCredential | null {
  const credential = useCredential();
  const signIn = useSignIns().find(({ address }) => wallet !== null && sameAddress(address, wallet.address));
  const hasEnded = useHasPassed(signIn?.expiresAtMs ?? null);
  if (signIn !== undefined && !hasEnded) return { kind: 'signIn', signIn: signIn.header };
  if (credential.kind === 'wallet') return wallet === null ? credential.presented : null;
  return credential.kind === 'own' && wallet === null ? credential.presented : null;
}
