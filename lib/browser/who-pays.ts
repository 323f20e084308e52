import type { CallCredential } from '@/lib/client';
import { isWalletFamily } from '@/lib/protocol/wallet-address';
import { sameAddress, type WalletFamily } from './wallet/wallet-address';

/**
 * Who pays for the calls of this console: the rules, as pure functions. docs/paying.md says them in words.
 *
 * 1. Who pays is a choice, and only a person changes it.
 * 2. Until somebody has chosen, it is the person's own key where there is one, else the sandbox's demo key.
 * 3. What was chosen and is not there any more is replaced by nobody: the person is asked.
 * 4. A wallet that changes its account, or receives a top-up, changes nothing by itself: the person is asked.
 * 5. Disconnecting a wallet ends the use of its sign-in.
 */

/** An API key that a person entered or minted. `remember` keeps it beyond the last tab. */
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
  /** Until the browser knows what there is. */
  | { kind: 'pending'; presented: null };

/** What a person chose; null until somebody has. */
export type CredentialChoice =
  | {
      kind: 'wallet';
      address: string;
      family: WalletFamily;
      /** The other account to which the wallet has switched, once the person has said that this one goes on paying. */
      keptBeside?: string;
    }
  | { kind: 'own' }
  | { kind: 'demo' }
  /** What paid was disconnected or forgotten, and nothing was chosen in its place. */
  | { kind: 'nobody' }
  | null;

export interface CredentialsAtHand {
  choice: CredentialChoice;
  own: OwnKey | null;
  /** Of the chosen wallet, while it lasts. */
  signIn: { header: string; expiresAtMs: number } | undefined;
  demoKey: string | null;
  /** Whether it is still unknown if there is a demo key. */
  isDemoPending: boolean;
  /** Whether another tab may still hand over a key or a sign-in. */
  isTabPending: boolean;
}

const NOBODY: Credential = { kind: 'none', presented: null };
const PENDING: Credential = { kind: 'pending', presented: null };

/** Who pays, by what was chosen and what there is. Never falls back from a choice to something else. */
export function settleCredential({
  choice,
  own,
  signIn,
  demoKey,
  isDemoPending,
  isTabPending,
}: CredentialsAtHand): Credential {
  const missing = isTabPending ? PENDING : NOBODY;
  const demo = (): Credential =>
    demoKey !== null
      ? { kind: 'demo', apiKey: demoKey, presented: { kind: 'apiKey', apiKey: demoKey } }
      : isDemoPending
        ? PENDING
        : NOBODY;
  switch (choice?.kind) {
    case 'wallet': {
      const { address, family } = choice;
      if (signIn !== undefined)
        return {
          kind: 'wallet',
          address,
          family,
          expiresAtMs: signIn.expiresAtMs,
          presented: { kind: 'signIn', signIn: signIn.header },
        };
      return isTabPending ? PENDING : { kind: 'signed-out', address, family, presented: null };
    }
    case 'own':
      return own === null ? missing : ownCredential(own);
    case 'demo':
      return demo();
    case 'nobody':
      return NOBODY;
    case undefined:
      return own === null ? demo() : ownCredential(own);
  }
}

function ownCredential(own: OwnKey): Credential {
  return { kind: 'own', ...own, presented: { kind: 'apiKey', apiKey: own.apiKey } };
}

interface Account {
  family: WalletFamily;
  address: string;
}

/** A wallet that is on another account than the one that pays. */
export interface AccountQuestion {
  payer: Account;
  /** What the wallet is on now. */
  account: Account;
}

/** Whether a person has to be asked which account pays: a wallet of the payer's family is on another one, and they have not said yet that this is as it should be. */
export function accountQuestionOf(
  choice: CredentialChoice,
  wallets: readonly (Account | null)[],
): AccountQuestion | null {
  if (choice?.kind !== 'wallet') return null;
  const account = wallets.find((wallet) => wallet?.family === choice.family);
  if (!account || sameAddress(account.address, choice.address)) return null;
  if (choice.keptBeside !== undefined && sameAddress(account.address, choice.keptBeside)) return null;
  return {
    payer: { family: choice.family, address: choice.address },
    account: { family: account.family, address: account.address },
  };
}

/** The choice after a wallet was disconnected, or its sign-in given up: nobody, where it paid. */
export function choiceWithout(choice: CredentialChoice, address: string): CredentialChoice {
  return choice?.kind === 'wallet' && sameAddress(choice.address, address) ? { kind: 'nobody' } : choice;
}

/** Takes a stored choice that is whole; null for any other. */
export function parseChoice(stored: unknown): CredentialChoice {
  if (typeof stored !== 'object' || stored === null) return null;
  const { kind, address, family, keptBeside } = stored as {
    kind?: unknown;
    address?: unknown;
    family?: unknown;
    keptBeside?: unknown;
  };
  if (kind === 'demo' || kind === 'own' || kind === 'nobody') return { kind };
  if (kind !== 'wallet' || typeof address !== 'string' || !isWalletFamily(family)) return null;
  return { kind, address, family, ...(typeof keptBeside === 'string' ? { keptBeside } : {}) };
}
