'use client';

import type { CallCredential } from '@/lib/client';
import { useMemo } from 'react';
import { useHasPassed } from './clock';
import { useSandbox } from './sandbox';
import { isSendableKey, maskSecret } from './secret';
import { createStoredValue, useStoredValue } from './stored-value';
import { useSignIns } from './wallet/sign-in-store';
import { sameAddress, type WalletFamily } from './wallet/wallet-address';

/** An API key that a person entered or minted. `remember` keeps it beyond the tab. */
export interface OwnKey {
  apiKey: string;
  remember: boolean;
}

/** What the console calls with. `presented` goes out with each call; null sends none. */
export type Credential =
  | { kind: 'own'; apiKey: string; remember: boolean; presented: CallCredential }
  | { kind: 'demo'; apiKey: string; presented: CallCredential }
  /** A wallet that has signed in. */
  | { kind: 'wallet'; address: string; family: WalletFamily; expiresAtMs: number; presented: CallCredential }
  /** A wallet was chosen, and its sign-in has ended: it has to sign again. */
  | { kind: 'signed-out'; address: string; family: WalletFamily; presented: null }
  | { kind: 'none'; presented: null }
  /** Until the browser knows whether there is a demo key. */
  | { kind: 'pending'; presented: null };

/** Whether it is known that nothing is called with: neither at hand nor on its way. */
export function isWithout({ kind, presented }: Credential): boolean {
  return presented === null && kind !== 'pending';
}

/** Which of the credentials at hand was chosen; null leaves it to what there is. */
export type CredentialChoice = { kind: 'wallet'; address: string; family: WalletFamily } | { kind: 'demo' } | null;

const ownKeyStore = createStoredValue<OwnKey | null>({
  key: 'turnpike.api-key',
  initial: null,
  parse: parseOwnKey,
  sessionOnly: (key) => key?.remember !== true,
});

const choiceStore = createStoredValue<CredentialChoice>({ key: 'turnpike.credential-choice', initial: null, parse: parseChoice, sessionOnly: () => true });

/** The credential in use: the chosen one, else the person's own key where there is one, else the sandbox's demo key, else none. */
export function useCredential(): Credential {
  const own = useOwnKey();
  const choice = useStoredValue(choiceStore);
  const signIn = useSignIns().find(({ address }) => choice?.kind === 'wallet' && sameAddress(address, choice.address));
  const hasEnded = useHasPassed(signIn?.expiresAtMs ?? null);
  const sandbox = useSandbox();
  const { data, isPending } = sandbox;
  // One object for as long as nothing of it changes: effects depend on it.
  return useMemo(() => settleCredential({ own, choice, signIn: hasEnded ? undefined : signIn, demoKey: data?.demoKey ?? null, isPending }), [own, choice, signIn, hasEnded, data?.demoKey, isPending]);
}

interface CredentialsAtHand {
  own: OwnKey | null;
  choice: CredentialChoice;
  /** Of the chosen wallet, while it lasts. */
  signIn: { header: string; expiresAtMs: number } | undefined;
  demoKey: string | null;
  /** Whether it is still unknown if there is a demo key. */
  isPending: boolean;
}

function settleCredential({ own, choice, signIn, demoKey, isPending }: CredentialsAtHand): Credential {
  if (choice?.kind === 'wallet') {
    const { address, family } = choice;
    if (signIn === undefined) return { kind: 'signed-out', address, family, presented: null };
    return { kind: 'wallet', address, family, expiresAtMs: signIn.expiresAtMs, presented: { kind: 'signIn', signIn: signIn.header } };
  }
  if (own !== null && !(choice?.kind === 'demo' && demoKey !== null)) return { kind: 'own', ...own, presented: { kind: 'apiKey', apiKey: own.apiKey } };
  if (isPending) return { kind: 'pending', presented: null };
  if (demoKey === null) return { kind: 'none', presented: null };
  return { kind: 'demo', apiKey: demoKey, presented: { kind: 'apiKey', apiKey: demoKey } };
}

/** The person's own key, in use or not. */
export function useOwnKey(): OwnKey | null {
  return useStoredValue(ownKeyStore);
}

/** Calls with this key from now on. */
export function enterKey(key: OwnKey): void {
  ownKeyStore.set(key);
  choiceStore.set(null);
}

/** Calls with a wallet's sign-in, or with the demo key, from now on; null: with the person's own key, if there is one. */
export function chooseCredential(choice: CredentialChoice): void {
  choiceStore.set(choice);
}

/** Forgets the person's own key, in this browser's storage too. */
export function forgetKey(): void {
  ownKeyStore.set(null);
}

/** A credential as it may be shown: enough to tell two apart, never enough to use. */
export function maskCredential(credential: CallCredential): CallCredential {
  return credential.kind === 'apiKey' ? { kind: 'apiKey', apiKey: maskSecret(credential.apiKey) } : { kind: 'signIn', signIn: maskSecret(credential.signIn) };
}

/** What stands in code where there is no credential to put in. */
export const CREDENTIAL_PLACEHOLDER: CallCredential = { kind: 'apiKey', apiKey: '<API_KEY>' };

function parseOwnKey(stored: unknown): OwnKey | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { apiKey, remember } = stored as Partial<OwnKey>;
  return typeof apiKey === 'string' && isSendableKey(apiKey) ? { apiKey, remember: remember === true } : null;
}

function parseChoice(stored: unknown): CredentialChoice {
  if (typeof stored !== 'object' || stored === null) return null;
  const { kind, address, family } = stored as { kind?: unknown; address?: unknown; family?: unknown };
  if (kind === 'demo') return { kind };
  return kind === 'wallet' && typeof address === 'string' && (family === 'evm' || family === 'solana') ? { kind, address, family } : null;
}
