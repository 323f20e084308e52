'use client';

import { isWalletFamily } from '@/lib/protocol/wallet-address';
import { createSessionValue, useIsAsking } from '@/lib/browser/storage/session-value';
import { useStoredValue } from '@/lib/browser/storage/stored-value';
import { sameAddress, type WalletFamily } from './wallet-store';

/** Signed sign-in. Anyone who has `header` can spend the wallet's balance until the sign-in expires. */
export interface StoredSignIn {
  address: string;
  family: WalletFamily;
  header: string;
  /** Unix milliseconds. */
  expiresAtMs: number;
}

const SIGN_INS_MAX = 8;

/**
 * Sign-ins of this browser's open tabs. Like a session cookie, a sign-in survives a reload but ends with the last tab.
 * Otherwise the next user of this browser could spend the wallet's money.
 */
const signInStore = createSessionValue<readonly StoredSignIn[]>({
  key: 'turnpike.sign-ins',
  initial: [],
  parse: parseSignIns,
  sessionOnly: () => true,
});

export function useSignIns(): readonly StoredSignIn[] {
  return useStoredValue(signInStore);
}

export function useAreSignInsComing(): boolean {
  return useIsAsking(signInStore);
}

/** Returns a wallet's sign-in if it stays valid for at least `marginMs`. */
export function findSignIn(address: string, marginMs = 0): StoredSignIn | null {
  return (
    signInStore
      .get()
      .find((signIn) => sameAddress(signIn.address, address) && signIn.expiresAtMs > Date.now() + marginMs) ?? null
  );
}

/** Stores a sign-in; replaces an earlier sign-in of the same wallet. */
export function keepSignIn(signIn: StoredSignIn): void {
  const others = signInStore.get().filter(({ address }) => !sameAddress(address, signIn.address));
  signInStore.set([signIn, ...others].slice(0, SIGN_INS_MAX));
}

export function forgetSignIn(address: string): void {
  signInStore.set(signInStore.get().filter((signIn) => !sameAddress(signIn.address, address)));
}

export function parseSignIns(stored: unknown): readonly StoredSignIn[] | null {
  return Array.isArray(stored) ? stored.filter(isSignIn).slice(0, SIGN_INS_MAX) : null;
}

function isSignIn(value: unknown): value is StoredSignIn {
  if (typeof value !== 'object' || value === null) return false;
  const { address, family, header, expiresAtMs } = value as Record<keyof StoredSignIn, unknown>;
  return (
    typeof address === 'string' &&
    isWalletFamily(family) &&
    typeof header === 'string' &&
    /^[\x21-\x7e]+$/.test(header) &&
    typeof expiresAtMs === 'number'
  );
}
