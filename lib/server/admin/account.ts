import { UsageError } from '@/lib/command-line/usage-error';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { formatUsd } from '@/lib/protocol/pricing';
import { walletKey } from '@/lib/protocol/wallet-address';
import { findAccount } from '../db/accounts';
import { eraseAccount, remainingOf } from '../db/erase-account';
import { exportAccount } from '../db/exported-account';
import type { Database } from '../db/schema';
import { claimFolder } from '../db/sqlite/open';
import { findWalletAccount } from '../db/wallets';
import type { Context, StoreCommand } from './command';
import { text } from './values';

const WHOSE = { name: 'ID|WALLET', description: 'The account, by its number or the address of its wallet' };

export const exportOneAccount: StoreCommand = {
  name: 'account export',
  summary: 'Export all data of an account as JSON, without secrets',
  audited: true,
  argument: WHOSE,
  options: {
    file: {
      type: 'string',
      value: 'FILE',
      description: 'Write to this file, which only its owner can read, instead of printing',
    },
  },
  run: async ({ db, options, argument }) => {
    const id = await accountMeant(db, argument);
    const json = { exportedAt: new Date().toISOString(), ...(await exportAccount(db, id)) };
    const file = text(options, 'file');
    if (file === undefined) return { text: JSON.stringify(json, null, 2), json, about: `account ${id}` };
    const path = resolve(process.env.INIT_CWD ?? '.', file);
    writeFileSync(path, `${JSON.stringify(json, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    return { text: `The data of account ${id} is in ${path}.`, json: { file: path }, about: `account ${id}` };
  },
};

export const eraseOneAccount: StoreCommand = {
  name: 'account erase',
  summary: "Erase an account's identity and requests; its ledger rows stay, without an owner",
  audited: true,
  argument: WHOSE,
  options: {
    yes: { type: 'boolean', description: 'Skip the confirmation' },
    forfeit: { type: 'boolean', description: 'Give up the remaining money and undecided payments' },
  },
  run: async (context) => {
    const { db, config, options, argument } = context;
    const id = await accountMeant(db, argument);
    const left = await remainingOf(db, id);
    const money = left.pots.usd + left.pots.bundled + left.pots.x402;
    const loss =
      options.forfeit === true && money + left.openPayments > 0
        ? ` ${formatUsd(money, 9)} USD and ${left.openPayments} undecided payments are given up.`
        : '';
    await confirm(
      context,
      `This erases account ${id} permanently: its wallet, keys, stored answers and prompts.${loss}`,
    );
    // With SQLite, reservations are only in the gateway's memory. So a balance can be erased only while the gateway is
    // stopped.
    const claim =
      config.databaseUrl === null && Object.values(left.pots).some((amount) => amount > 0) && options.forfeit === true
        ? claimFolder(config.dataDir)
        : null;
    try {
      await eraseAccount(db, id, { forfeit: options.forfeit === true });
    } finally {
      claim?.close();
    }
    return {
      text: `Account ${id} was erased.${loss} Earlier backups still contain it, and so can Postgres until it is vacuumed.`,
      json: { id, erased: true, forfeitedUsd: formatUsd(money, 9), forfeitedPayments: left.openPayments },
      about: `account ${id}`,
    };
  },
};

async function confirm({ options, ask }: Context, what: string): Promise<void> {
  if (options.yes === true) return;
  if (!ask) throw new UsageError(`${what} This is not an interactive terminal: confirm with --yes.`);
  if (!/^y(es)?$/i.test((await ask(`${what} Go on? [y/N] `)).trim())) throw new UsageError('Nothing was erased.');
}

async function accountMeant(db: Database, word: string | undefined): Promise<number> {
  if (word === undefined) throw new UsageError('Name the account by its number, or by the address of its wallet.');
  const id = /^[1-9]\d{0,15}$/.test(word)
    ? Number(word)
    : walletKey(word)
      ? await findWalletAccount(db, word)
      : undefined;
  if (id === undefined) throw new UsageError('The account must be a number, or an address of an EVM or Solana wallet.');
  if (id === null || !(await findAccount(db, id))) throw new UsageError('There is no such account.');
  return id;
}
