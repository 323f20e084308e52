'use client';

import { isWalletFamily } from '@/lib/protocol/wallet-address';
import { createSessionValue, useIsAsking } from '../session-value';
import { useStoredValue } from '../stored-value';
import { sameAddress, type WalletFamily } from './wallet-address';

/** A sign-in that a wallet has signed: whoever holds `header` may spend from the wallet's balance until it ends. */
export interface StoredSignIn {
  address: string;
  family: WalletFamily;
  /** Value of the SIGN-IN-WITH-X header. */
  header: string;
  /** Unix time in milliseconds. */
  expiresAtMs: number;
}

const SIGN_INS_MAX = 8;

/**
 * The sign-ins of this browser's open tabs. They outlive a reload but not the last tab: like a session cookie, and
 * unlike a key that somebody asked to keep, they are worth money to whoever opens this browser tomorrow.
 */
const signInStore = createSessionValue<readonly StoredSignIn[]>({
  key: 'turnpike.sign-ins',
  initial: [],
  parse: parseSignIns,
  sessionOnly: () => true,
});

/** All sign-ins, ended ones included. */
export function useSignIns(): readonly StoredSignIn[] {
  return useStoredValue(signInStore);
}

/** Whether another tab may still hand over sign-ins. */
export function useAreSignInsComing(): boolean {
  return useIsAsking(signInStore);
}

/** The sign-in of a wallet, if it has one that is good for at least `marginMs` more. */
export function findSignIn(address: string, marginMs = 0): StoredSignIn | null {
  return (
    signInStore
      .get()
      .find((signIn) => sameAddress(signIn.address, address) && signIn.expiresAtMs > Date.now() + marginMs) ?? null
  );
}

/** Keeps a sign-in in place of an earlier one of the same wallet. */
export function keepSignIn(signIn: StoredSignIn): void {
  const others = signInStore.get().filter(({ address }) => !sameAddress(address, signIn.address));
  signInStore.set([signIn, ...others].slice(0, SIGN_INS_MAX));
}

/** Forgets the sign-in of a wallet, in all tabs. */
export function forgetSignIn(address: string): void {
  signInStore.set(signInStore.get().filter((signIn) => !sameAddress(signIn.address, address)));
}

/** Keeps the entries that are whole; an older or a foreign shape must not break the page. */
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
