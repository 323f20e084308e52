'use client';

import type { CallCredential } from '@/lib/client';
import { useMemo } from 'react';
import { useHasPassed } from './clock';
import { useSandbox } from './sandbox';
import { isSendableKey, maskSecret } from './secret';
import { createSessionValue, useIsAsking } from './session-value';
import { createStoredValue, useStoredValue } from './stored-value';
import { forgetSignIn, useAreSignInsComing, useSignIns } from './wallet/sign-in-store';
import { sameAddress } from './wallet/wallet-address';
import {
  choiceWithout,
  type Credential,
  type CredentialChoice,
  type OwnKey,
  parseChoice,
  settleCredential,
} from './who-pays';

export type { Credential, CredentialChoice, OwnKey } from './who-pays';

/** Whether it is known that nothing is called with: neither at hand nor on its way. */
export function isWithout({ kind, presented }: Credential): boolean {
  return presented === null && kind !== 'pending';
}

const ownKeyStore = createSessionValue<OwnKey | null>({
  key: 'turnpike.api-key',
  initial: null,
  parse: parseOwnKey,
  sessionOnly: (key) => key?.remember !== true,
});

/** Who pays is no secret, and the same in all tabs. */
const choiceStore = createStoredValue<CredentialChoice>({
  key: 'turnpike.credential-choice',
  initial: null,
  parse: parseChoice,
});

/** Who pays for calls from this page, by the rules of `who-pays.ts`. */
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
  // One object for as long as nothing of it changes: effects depend on it.
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

/** The person's own key, in use or not. */
export function useOwnKey(): OwnKey | null {
  return useStoredValue(ownKeyStore);
}

/** What was chosen to pay, whether it is there or not. */
export function useCredentialChoice(): CredentialChoice {
  return useStoredValue(choiceStore);
}

/** Calls with this key from now on, in all tabs. */
export function enterKey(key: OwnKey): void {
  ownKeyStore.set(key);
  choiceStore.set({ kind: 'own' });
}

/** Says who pays from now on, in all tabs. Only what a person did may lead here. */
export function chooseCredential(choice: NonNullable<CredentialChoice>): void {
  choiceStore.set(choice);
}

/** The person has seen that the wallet is on another account, and has this payer go on. */
export function keepPayerBeside(account: string): void {
  const choice = choiceStore.get();
  if (choice?.kind === 'wallet') choiceStore.set({ ...choice, keptBeside: account });
}

/** Forgets the person's own key, in this browser's storage and in all tabs; `next` says who pays instead. */
export function forgetKey(next: 'demo' | 'nobody'): void {
  ownKeyStore.set(null);
  choiceStore.set({ kind: next });
}

/** Gives up a wallet's sign-in, in all tabs. Where it paid, nobody pays until the person chooses. */
export function endUseOf(address: string): void {
  forgetSignIn(address);
  const choice = choiceStore.get();
  const next = choiceWithout(choice, address);
  if (next !== choice) choiceStore.set(next);
}

/** A credential as it may be shown: enough to tell two apart, never enough to use. */
export function maskCredential(credential: CallCredential): CallCredential {
  return credential.kind === 'apiKey'
    ? { kind: 'apiKey', apiKey: maskSecret(credential.apiKey) }
    : { kind: 'signIn', signIn: maskSecret(credential.signIn) };
}

/** What stands in code where there is no credential to put in. */
export const CREDENTIAL_PLACEHOLDER: CallCredential = { kind: 'apiKey', apiKey: '<API_KEY>' };

function parseOwnKey(stored: unknown): OwnKey | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { apiKey, remember } = stored as Partial<OwnKey>;
  return typeof apiKey === 'string' && isSendableKey(apiKey) ? { apiKey, remember: remember === true } : null;
}
