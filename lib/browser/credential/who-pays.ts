import type { CallCredential } from '@/lib/client';
import { isWalletFamily } from '@/lib/protocol/wallet-address';
import { sameAddress, type WalletFamily } from '@/lib/browser/wallet/wallet-store';

/**
 * Rules for the payment method of this console's calls, as pure functions; docs/paying.md explains them.
 *
 * 1. The payment method is a choice, and only the user changes it.
 * 2. Before the first choice, the user's own key pays if there is one, else the sandbox's demo key.
 * 3. If the chosen method is gone, the console asks the user and chooses no other.
 * 4. If a wallet switches its account or receives a top-up, the console asks the user and changes nothing.
 * 5. Disconnecting a wallet ends the use of its sign-in.
 */

/** With `remember`, the browser keeps the key after the last tab closes. */
export interface OwnKey {
  apiKey: string;
  remember: boolean;
}

/** Credential of the console's calls. Each call sends `presented`; null sends no credential. */
export type Credential =
  | { kind: 'own'; apiKey: string; remember: boolean; presented: CallCredential }
  | { kind: 'demo'; apiKey: string; presented: CallCredential }
  | { kind: 'wallet'; address: string; family: WalletFamily; expiresAtMs: number; presented: CallCredential }
  /** The chosen wallet's sign-in has ended, so the wallet has to sign again. */
  | { kind: 'signed-out'; address: string; family: WalletFamily; presented: null }
  | { kind: 'none'; presented: null }
  /** The page awaits other tabs or the demo key. */
  | { kind: 'pending'; presented: null };

export type CredentialChoice =
  | {
      kind: 'wallet';
      address: string;
      family: WalletFamily;
      /** Account to which the wallet has switched. The user has confirmed that the chosen account keeps paying. */
      keptBeside?: string;
    }
  | { kind: 'own' }
  | { kind: 'demo' }
  /** The user disconnected or removed the payment method and chose no other. */
  | { kind: 'nobody' }
  | null;

export interface CredentialsAtHand {
  choice: CredentialChoice;
  own: OwnKey | null;
  /** Valid sign-in of the chosen wallet. */
  signIn: { header: string; expiresAtMs: number } | undefined;
  demoKey: string | null;
  /** True while the page does not know whether there is a demo key. */
  isDemoPending: boolean;
  /** True while another tab may still send a key or a sign-in. */
  isTabPending: boolean;
}

const NOBODY: Credential = { kind: 'none', presented: null };
const PENDING: Credential = { kind: 'pending', presented: null };

/**
 * Returns the payment method that follows from the choice and the available credentials. Never replaces a chosen
 * method.
 */
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

/** Question for the user when a wallet has an account other than the paying account. */
export interface AccountQuestion {
  payer: Account;
  account: Account;
}

/**
 * Returns the question of which account pays; null if there is nothing to ask. The console asks if a wallet of the
 * chosen family has an account other than the paying account, unless the user has confirmed the paying account.
 */
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

/**
 * Returns the choice after a wallet was disconnected or its sign-in ended: `nobody` if that wallet was the payment
 * method.
 */
export function choiceWithout(choice: CredentialChoice, address: string): CredentialChoice {
  return choice?.kind === 'wallet' && sameAddress(choice.address, address) ? { kind: 'nobody' } : choice;
}

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
