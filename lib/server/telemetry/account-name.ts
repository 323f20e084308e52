import { createHmac } from 'node:crypto';

const CHARACTERS = 16;

/** Returns an account's pseudonym in the log: 16 hexadecimal characters. */
export type AccountName = (accountId: number) => string;

/**
 * Derives account pseudonyms by a hash keyed with the operator's secret. Log lines of one account have the same
 * pseudonym, but identify the account only to a reader who knows the secret. A new secret changes all pseudonyms.
 */
export function accountNames(secret: { reveal(): string } | null): AccountName {
  const key = createHmac('sha256', secret?.reveal() ?? '')
    .update('turnpike accounts in the log')
    .digest();
  return (accountId) => createHmac('sha256', key).update(String(accountId)).digest('hex').slice(0, CHARACTERS);
}
