import { UsageError } from '@/lib/command-line/usage-error';
import { formatUsd } from '@/lib/protocol/pricing';
import { walletKey } from '@/lib/protocol/wallet-address';
import { listPayments, makeDue, OPEN_STATES, type Payment, readPayment } from '../db/payments';
import { PAYMENT_STATES } from '../db/schema';
import type { StoreCommand } from './command';
import { table } from './table';
import { text, wholeNumber } from './options';

const LIMIT = 50;
const LIMIT_MAX = 10_000;

export const showPayments: StoreCommand = {
  name: 'payments list',
  summary: 'List x402 payments, newest first, with their states',
  options: {
    state: {
      type: 'string',
      value: 'STATE',
      description: `Only payments in this state: ${PAYMENT_STATES.join(', ')}, or open (the first three)`,
    },
    wallet: { type: 'string', value: 'ADDRESS', description: 'Only payments of this wallet' },
    limit: { type: 'string', value: 'COUNT', description: `Maximum payments to list; ${LIMIT} by default` },
  },
  run: async ({ db, options }) => {
    const wallet = text(options, 'wallet');
    const payer = wallet === undefined ? undefined : walletKey(wallet)?.key;
    if (wallet !== undefined && payer === undefined)
      throw new UsageError(`--wallet must be an address of an EVM or Solana wallet, not "${wallet}".`);
    const states = statesOf(text(options, 'state'));
    const payments = await listPayments(db, {
      ...(states ? { states } : {}),
      ...(payer ? { payer } : {}),
      limit: wholeNumber(options, 'limit', LIMIT_MAX) ?? LIMIT,
    });
    const rows = payments.map(({ id, state, amount, network, payer: from, created_at, error }) => [
      id,
      state,
      formatUsd(amount, 6),
      network,
      from,
      new Date(created_at).toISOString(),
      error ?? '',
    ]);
    return {
      text: table(
        ['ID', 'STATE', 'USD', 'NETWORK', 'WALLET', 'SINCE', 'HEARD LAST'],
        rows,
        'There are no such payments.',
      ),
      json: payments.map(tell),
    };
  },
};

export const showPayment: StoreCommand = {
  name: 'payments show',
  summary: 'Show one payment in full',
  options: { id: { type: 'string', value: 'ID', description: 'Id of the payment, from the list', required: true } },
  run: async ({ db, options }) => {
    const payment = tell(await found(db, String(options.id)));
    return {
      text: table(
        ['WHAT', 'VALUE'],
        Object.entries(payment).map(([name, value]) => [name, String(value ?? '')]),
        '',
      ),
      json: payment,
    };
  },
};

export const resumePayments: StoreCommand = {
  name: 'payments resume',
  summary: 'Make the gateway check open payments now instead of when they are due',
  audited: true,
  options: { id: { type: 'string', value: 'ID', description: 'Only the payment with this id' } },
  run: async ({ db, options }) => {
    const id = text(options, 'id');
    if (id !== undefined) await found(db, id);
    const count = await makeDue(db, id);
    return {
      text:
        count === 0
          ? 'No such payment is open, so nothing was resumed.'
          : `${count} open payments are due now. A running gateway checks them within seconds.`,
      json: { resumed: count },
    };
  },
};

function statesOf(state: string | undefined): Payment['state'][] | undefined {
  if (state === undefined) return undefined;
  if (state === 'open') return [...OPEN_STATES];
  const known = PAYMENT_STATES.find((each) => each === state);
  if (!known) throw new UsageError(`--state must be ${PAYMENT_STATES.join(', ')} or open, not "${state}".`);
  return [known];
}

async function found(db: Parameters<typeof readPayment>[0], id: string): Promise<Payment> {
  try {
    return await readPayment(db, id);
  } catch {
    throw new UsageError(`There is no payment ${JSON.stringify(id.slice(0, 80))}.`);
  }
}

/** Omits the signature, because anyone could submit the payment with it. */
function tell({ content: _content, ...payment }: Payment) {
  const time = (at: number | null): string | null => (at === null || at === 0 ? null : new Date(at).toISOString());
  const {
    amount,
    created_at,
    submitted_at,
    settled_at,
    credited_at,
    expires_at,
    next_look_at,
    lease_until,
    balance_after,
    ...facts
  } = payment;
  return {
    ...facts,
    amountUsd: formatUsd(amount, 9),
    balanceAfterUsd: balance_after === null ? null : formatUsd(balance_after, 9),
    createdAt: time(created_at),
    submittedAt: time(submitted_at),
    settledAt: time(settled_at),
    creditedAt: time(credited_at),
    expiresAt: time(expires_at),
    nextLookAt: time(next_look_at),
    leaseUntil: time(lease_until),
  };
}
