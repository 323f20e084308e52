'use client';

import type { CallCredential } from '@/lib/client';
import { useMemo } from 'react';
import { useHasPassed } from '@/lib/browser/page/clock';
import { useSandbox } from '@/lib/browser/reads/settings';
import { createSessionValue, useIsAsking } from '@/lib/browser/storage/session-value';
import { createStoredValue, useStoredValue } from '@/lib/browser/storage/stored-value';
import { forgetSignIn, useAreSignInsComing, useSignIns } from '@/lib/browser/wallet/sign-in-store';
import { sameAddress } from '@/lib/browser/wallet/wallet-store';
import {
  choiceWithout,
  type Credential,
  type CredentialChoice,
  type OwnKey,
  parseChoice,
  settleCredential,
} from './who-pays';

export type { Credential, CredentialChoice, OwnKey } from './who-pays';

/** Returns whether the page has no credential and is loading none. */
export function isWithout({ kind, presented }: Credential): boolean {
  return presented === null && kind !== 'pending';
}

const ownKeyStore = createSessionValue<OwnKey | null>({
  key: 'turnpike.api-key',
  initial: null,
  parse: parseOwnKey,
  sessionOnly: (key) => key?.remember !== true,
});

/** Chosen payment method: not secret, shared by all tabs. */
const choiceStore = createStoredValue<CredentialChoice>({
  key: 'turnpike.credential-choice',
  initial: null,
  parse: parseChoice,
});

/** Returns the payment method for calls from this page, by the rules of `who-pays.ts`. */
export function useCredential(): Credential {
  const own = useOwnKey();
  const choice = useStoredValue(choiceStore);
  const signIn = useSignIns().find(({ address }) => choice?.kind === 'wallet' && sameAddress(address, choice.address));
  const hasEnded = useHasPassed(signIn?.expiresAtMs ?? null);
  const isKeyComing = useIsAsking(ownKeyStore);
  const areSignInsComing = useAreSignInsComing();
  const { data, isPending } = useSandbox();
  const demoKey = data?.demoKey ?? null;
  const isTabPending = isKeyComing || areSignInsComing;
  // Memoized, because effects depend on the object's identity.
  return useMemo(
    () =>
      settleCredential({
        choice,
        own,
        signIn: hasEnded ? undefined : signIn,
        demoKey,
        isDemoPending: isPending,
        isTabPending,
      }),
    [own, choice, signIn, hasEnded, demoKey, isPending, isTabPending],
  );
}

export function useOwnKey(): OwnKey | null {
  return useStoredValue(ownKeyStore);
}

/** Returns the chosen payment method, even if it is unavailable. */
export function useCredentialChoice(): CredentialChoice {
  return useStoredValue(choiceStore);
}

export function enterKey(key: OwnKey): void {
  ownKeyStore.set(key);
  choiceStore.set({ kind: 'own' });
}

/** Sets the payment method in all tabs. Call this function only when the user asks for the change. */
export function chooseCredential(choice: NonNullable<CredentialChoice>): void {
  choiceStore.set(choice);
}

/** Records that the user keeps the current payment method although the wallet has switched to `account`. */
export function keepPayerBeside(account: string): void {
  const choice = choiceStore.get();
  if (choice?.kind === 'wallet') choiceStore.set({ ...choice, keptBeside: account });
}

/** Removes the user's own key from storage and all tabs. `next` is the new payment method. */
export function forgetKey(next: 'demo' | 'nobody'): void {
  ownKeyStore.set(null);
  choiceStore.set({ kind: next });
}

/** Ends a wallet's sign-in in all tabs. If that wallet was the payment method, the user has to choose another. */
export function endUseOf(address: string): void {
  forgetSignIn(address);
  const choice = choiceStore.get();
  const next = choiceWithout(choice, address);
  if (next !== choice) choiceStore.set(next);
}

export function maskCredential(credential: CallCredential): CallCredential {
  return credential.kind === 'apiKey'
    ? { kind: 'apiKey', apiKey: maskSecret(credential.apiKey) }
    : { kind: 'signIn', signIn: maskSecret(credential.signIn) };
}

/** Placeholder for a missing credential in code samples. */
export const CREDENTIAL_PLACEHOLDER: CallCredential = { kind: 'apiKey', apiKey: '<API_KEY>' };

function parseOwnKey(stored: unknown): OwnKey | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { apiKey, remember } = stored as Partial<OwnKey>;
  return typeof apiKey === 'string' && isSendableKey(apiKey) ? { apiKey, remember: remember === true } : null;
}

/** Masks a secret for display. The result is enough to recognize the secret, but not to use it. */
export function maskSecret(secret: string): string {
  if (secret.length < 16) return '•'.repeat(8);
  return `${secret.slice(0, 4)}••••${secret.slice(-4)}`;
}

/** Returns whether a string can be a Bearer token: 8 to 512 visible ASCII characters. RFC 6750 allows fewer. */
export function isSendableKey(text: string): boolean {
  return /^[\x21-\x7e]{8,512}$/.test(text);
}

/**
 * True if the last check in this browser identified an operator. The console then links the operator's page. The value
 * grants no access.
 */
export const seenOperator = createStoredValue<boolean>({
  key: 'turnpike.operator',
  initial: false,
  parse: (stored) => (stored === true ? true : null),
});

export const OPERATOR_PATH = '/operator';
