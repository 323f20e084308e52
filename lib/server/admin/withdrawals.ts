import { UsageError } from '@/lib/command-line/usage-error';
import { formatUsd } from '@/lib/protocol/pricing';
import { walletKey } from '@/lib/protocol/wallet-address';
import { WITHDRAWAL_STATES } from '../db/schema';
import { listWithdrawals, OPEN_WITHDRAWALS, type Withdrawal } from '../db/withdrawals';
import type { StoreCommand } from './command';
import { table } from './table';
import { text, wholeNumber } from './options';

const LIMIT = 50;
const LIMIT_MAX = 10_000;

export const showWithdrawals: StoreCommand = {
  name: 'withdrawals list',
  summary: 'List withdrawals of prepaid money, newest first, with their states',
  options: {
    state: {
      type: 'string',
      value: 'STATE',
      description: `Only withdrawals in this state: ${WITHDRAWAL_STATES.join(', ')}, or open (the first two)`,
    },
    wallet: { type: 'string', value: 'ADDRESS', description: 'Only withdrawals of this wallet' },
    limit: { type: 'string', value: 'COUNT', description: `Maximum withdrawals to list; ${LIMIT} by default` },
  },
  run: async ({ db, options }) => {
    const address = text(options, 'wallet');
    const wallet = address === undefined ? undefined : walletKey(address)?.key;
    if (address !== undefined && wallet === undefined)
      throw new UsageError(`--wallet must be an address of an EVM or Solana wallet, not "${address}".`);
    const states = statesOf(text(options, 'state'));
    const withdrawals = await listWithdrawals(db, {
      ...(states ? { states } : {}),
      ...(wallet ? { wallet } : {}),
      limit: wholeNumber(options, 'limit', LIMIT_MAX) ?? LIMIT,
    });
    const rows = withdrawals.map(({ id, state, amount, fee, network, wallet: to, created_at, error }) => [
      id,
      state,
      formatUsd(amount, 6),
      formatUsd(fee, 6),
      network,
      to,
      new Date(created_at).toISOString(),
      error ?? '',
    ]);
    return {
      text: table(
        ['ID', 'STATE', 'USD', 'FEE', 'NETWORK', 'WALLET', 'SINCE', 'HEARD LAST'],
        rows,
        'There are no such withdrawals.',
      ),
      json: withdrawals.map(tell),
    };
  },
};

function statesOf(state: string | undefined): Withdrawal['state'][] | undefined {
  if (state === undefined) return undefined;
  if (state === 'open') return [...OPEN_WITHDRAWALS];
  const known = WITHDRAWAL_STATES.find((each) => each === state);
  if (!known) throw new UsageError(`--state must be ${WITHDRAWAL_STATES.join(', ')} or open, not "${state}".`);
  return [known];
}

function tell({ content: _content, statement: _statement, amount, fee, balance_after, ...facts }: Withdrawal) {
  const time = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
  return {
    id: facts.id,
    state: facts.state,
    account: facts.account_id,
    wallet: facts.wallet,
    network: facts.network,
    asset: facts.asset,
    amountUsd: formatUsd(amount, 9),
    feeUsd: formatUsd(fee, 9),
    payoutUnits: facts.payout_units,
    balanceAfterUsd: formatUsd(balance_after, 9),
    transaction: facts.transaction_id,
    attempts: facts.attempts,
    error: facts.error,
    waitsFor: facts.waits_for,
    createdAt: time(facts.created_at),
    expiresAt: time(facts.expires_at),
    endedAt: time(facts.ended_at),
  };
}
