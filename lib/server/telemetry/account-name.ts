import { createHmac } from 'node:crypto';

const CHARACTERS = 16;

/** What an account is called in the log: 16 hex characters. */
export type AccountName = (accountId: number) => string;

/**
 * Names accounts by a hash under the operator's secret: lines of one account can be found together, and who reads the log
 * alone, without the secret, can neither count accounts nor tell whose they are. With another secret the names are others.
 */
export function accountNames(secret: { reveal(): string } | null): AccountName {
  const key = createHmac('sha256', secret?.reveal() ?? '')
    .update('turnpike accounts in the log')
    .digest();
  return (accountId) => createHmac('sha256', key).update(String(accountId)).digest('hex').slice(0, CHARACTERS);
}
