import { UsageError } from '@/lib/command-line/usage-error';
import { formatUsd } from '@/lib/protocol/pricing';
import { walletKey } from '@/lib/protocol/wallet-address';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Account, createAccount, findAccount, listAccounts } from '../db/accounts';
import { insertApiKey, newApiKeySecret } from '../db/api-keys';
import { grantWithin } from '../db/credits';
import { eraseAccount, remainingOf } from '../db/erase-account';
import { exportAccount } from '../db/exported-account';
import { type Database, type Tier, TIERS } from '../db/schema';
import { claimFolder } from '../db/sqlite/open';
import { findWalletAccount } from '../db/wallets';
import type { Context, StoreCommand } from './command';
import { oneOf, text, usd, wholeNumber } from './options';
import { table } from './table';

const COUNT_MAX = 100_000;
/**
 * Number of accounts that one transaction creates. It is small, because a running gateway waits for each transaction.
 */
const CHUNK = 200;

interface NewAccount {
  label: string;
  tier: Tier;
  usdNano: number;
  bundledNano: number;
  withKey: boolean;
}

export const createAccounts: StoreCommand = {
  name: 'accounts create',
  summary: 'Create an account, or many at once',
  audited: true,
  options: {
    label: {
      type: 'string',
      personal: true,
      value: 'LABEL',
      description: 'Display name; numbered with --count',
      required: true,
    },
    tier: { type: 'string', value: 'TIER', description: 'standard (default), paid or staff' },
    usd: { type: 'string', value: 'USD', description: 'Grant this amount to the USD balance' },
    bundled: { type: 'string', value: 'USD', description: 'Grant this amount to the bundled credits' },
    count: { type: 'string', value: 'N', description: 'Create N accounts; the JSON is then {"accounts": […]}' },
    keys: { type: 'boolean', description: 'Create an INFERENCE key for each account; keys are shown only once' },
  },
  run: async ({ db, options }) => {
    const count = wholeNumber(options, 'count', COUNT_MAX);
    const label = text(options, 'label') ?? '';
    const account: Omit<NewAccount, 'label'> = {
      tier: oneOf(options, 'tier', TIERS) ?? 'standard',
      usdNano: usd(options, 'usd') ?? 0,
      bundledNano: usd(options, 'bundled') ?? 0,
      withKey: options.keys === true,
    };
    const labels =
      count === undefined ? [label] : Array.from({ length: count }, (_none, index) => `${label} ${index + 1}`);
    const created: ReturnType<typeof show>[] = [];
    let failure: unknown;
    for (let start = 0; start < labels.length && failure === undefined; start += CHUNK) {
      const chunk = labels.slice(start, start + CHUNK);
      try {
        created.push(...(await db.transaction().execute((transaction) => createAll(transaction, chunk, account))));
      } catch (error) {
        if (start === 0) throw error;
        failure = error;
      }
    }
    const rows = created.map((row) => [
      String(row.id),
      row.label,
      row.tier,
      row.usd,
      row.bundledCredits,
      row.apiKey ?? '',
    ]);
    return {
      ...(failure !== undefined && {
        exitCode: 1,
        warning: `Only ${created.length} of ${labels.length} accounts were created: ${failure instanceof Error ? failure.message : String(failure)}`,
      }),
      text: table(['ID', 'LABEL', 'TIER', 'USD', 'BUNDLED', 'API KEY'], rows, ''),
      json: count === undefined ? created[0] : { accounts: created },
      about:
        created.length === 1 ? `account ${created[0]?.id}` : `${created.length} accounts from ${created[0]?.id} on`,
    };
  },
};

async function createAll(db: Database, labels: readonly string[], account: Omit<NewAccount, 'label'>) {
  const created: ReturnType<typeof show>[] = [];
  for (const label of labels) created.push(await createOne(db, { label, ...account }));
  return created;
}

async function createOne(db: Database, { label, tier, usdNano, bundledNano, withKey }: NewAccount) {
  const id = await createAccount(db, { label, tier });
  if (usdNano > 0) await grantWithin(db, { accountId: id, pot: 'usd', amountNanoUsd: usdNano, detail: 'at creation' });
  if (bundledNano > 0)
    await grantWithin(db, { accountId: id, pot: 'bundled', amountNanoUsd: bundledNano, detail: 'at creation' });
  const apiKey = withKey ? newApiKeySecret() : undefined;
  if (apiKey) {
    const unlimited = { expiresAt: null, limitPeriod: 'LIFETIME', limitUsdNano: null, limitDiemNano: null } as const;
    await insertApiKey(db, apiKey, { accountId: id, type: 'INFERENCE', description: label, ...unlimited });
  }
  return show((await findAccount(db, id)) as Account, apiKey);
}

export const listAllAccounts: StoreCommand = {
  name: 'accounts list',
  summary: 'List accounts with their balances',
  options: { wallet: { type: 'string', value: 'ADDRESS', description: 'Only the account of this wallet' } },
  run: async ({ db, options }) => {
    const wallet = text(options, 'wallet');
    const accounts = (wallet === undefined ? await listAccounts(db) : await accountsOf(db, wallet)).map((account) =>
      show(account),
    );
    const rows = accounts.map((row) => [
      String(row.id),
      row.label,
      row.tier,
      row.diem,
      row.bundledCredits,
      row.usd,
      row.x402,
      row.createdAt,
    ]);
    return {
      text: table(
        ['ID', 'LABEL', 'TIER', 'DIEM', 'BUNDLED', 'USD', 'X402', 'CREATED'],
        rows,
        wallet === undefined
          ? 'There are no accounts yet: see `accounts create --help`.'
          : 'This wallet has no account.',
      ),
      json: { accounts },
    };
  },
};

async function accountsOf(db: Database, wallet: string): Promise<Account[]> {
  if (!walletKey(wallet))
    throw new UsageError(`--wallet must be an address of an EVM or Solana wallet, not "${wallet}".`);
  const accountId = await findWalletAccount(db, wallet);
  const account = accountId === null ? undefined : await findAccount(db, accountId);
  return account ? [account] : [];
}

function show({ id, label, tier, createdAt, balances }: Account, apiKey?: string) {
  return {
    id,
    label,
    tier,
    diem: formatUsd(balances.diem, 9),
    bundledCredits: formatUsd(balances.bundled, 9),
    usd: formatUsd(balances.usd, 9),
    x402: formatUsd(balances.x402, 9),
    createdAt: new Date(createdAt).toISOString(),
    ...(apiKey ? { apiKey } : {}),
  };
}

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
    // With SQLite, reservations exist only in the gateway's memory, so the gateway must be stopped before a balance is
    // erased.
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
