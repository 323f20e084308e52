import { UsageError } from '@/lib/command-line/usage-error';
import { formatUsd } from '@/lib/protocol/pricing';
import { walletKey } from '@/lib/protocol/wallet-address';
import { type Grant, grantWithin } from '../db/credits';
import { ensureWalletAccount } from '../db/wallets';
import type { Context, StoreCommand } from './command';
import { text, usd, wholeNumber } from './options';

export const addGrant: StoreCommand = {
  name: 'grants add',
  summary: "Add money to an account's USD balance or bundled credits, or to a wallet's prepaid balance",
  audited: true,
  options: {
    account: { type: 'string', value: 'ID', description: 'The account' },
    wallet: {
      type: 'string',
      personal: true,
      value: 'ADDRESS',
      description: 'A wallet instead of an account; a missing account is created',
    },
    usd: { type: 'string', value: 'USD', description: 'Amount for the USD balance' },
    bundled: { type: 'string', value: 'USD', description: 'Amount for the bundled credits' },
    x402: {
      type: 'string',
      value: 'USD',
      description: "Amount for the wallet's prepaid balance, which its sign-in spends",
    },
    note: { type: 'string', personal: true, value: 'TEXT', description: 'Reason, for the ledger' },
  },
  run: async ({ db, options }) => {
    const { pot, amountNanoUsd } = amountOf(options);
    const account = wholeNumber(options, 'account', Number.MAX_SAFE_INTEGER);
    const wallet = text(options, 'wallet');
    if ((account === undefined) === (wallet === undefined)) throw new UsageError('Give either --account or --wallet.');
    if (wallet !== undefined && !walletKey(wallet))
      throw new UsageError(`--wallet must be an address of an EVM or Solana wallet, not "${wallet}".`);
    const detail = text(options, 'note') ?? 'by the operator';
    const { accountId, balanceNanoUsd } = await db.transaction().execute(async (transaction) => {
      const accountId = wallet === undefined ? (account as number) : await ensureWalletAccount(transaction, wallet);
      return { accountId, balanceNanoUsd: await grantWithin(transaction, { accountId, pot, amountNanoUsd, detail }) };
    });
    const [amount, balance] = [formatUsd(amountNanoUsd, 9), formatUsd(balanceNanoUsd, 9)];
    return {
      text: `Granted ${amount} USD to the ${pot} balance of account ${accountId}. The balance is now ${balance} USD.`,
      about: `account ${accountId}`,
      json: { accountId, pot, amountUsd: amount, balanceUsd: balance },
    };
  },
};

type GrantPot = Grant['pot'];

const POT_OPTIONS: readonly GrantPot[] = ['usd', 'bundled', 'x402'];

function amountOf(options: Context['options']): { pot: GrantPot; amountNanoUsd: number } {
  const [given, ...others] = POT_OPTIONS.flatMap((pot) => {
    const amountNanoUsd = usd(options, pot);
    return amountNanoUsd === undefined ? [] : [{ pot, amountNanoUsd }];
  });
  if (!given || others.length > 0) throw new UsageError('Give exactly one of --usd, --bundled and --x402.');
  return given;
}
