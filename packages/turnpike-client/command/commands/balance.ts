import type { Currency } from '@/lib/client/billing';
import { type Command, EXIT } from '../command';
import { CUSTOMER_HELP, CUSTOMER_OPTIONS, readCustomer } from '../customer';
import { readOptions } from '../options';
import { noArguments } from '@/lib/command-line/options';
import { jsonText, printableLine } from '../printable';

const HELP = `turnpike-client balance [options]

Shows the balances. Free. The exit code is 1 if nothing is left.

${CUSTOMER_HELP}
`;

export const balance: Command = {
  help: HELP,
  async run(args, io) {
    const { values, positionals } = readOptions(args, CUSTOMER_OPTIONS);
    noArguments(positionals);
    const customer = await readCustomer(values, io, { budget: null });
    const found = await customer.balance({ signal: io.signal });
    if (values.json) io.out(`${jsonText(found, 2)}\n`);
    else io.out(lines(found));
    return found.canConsume ? EXIT.done : EXIT.failed;
  },
};

const PAID_FROM: Readonly<Record<Currency, string>> = {
  DIEM: 'the daily allocation',
  BUNDLED_CREDITS: 'bundled credits',
  USD: 'USD',
  X402: 'the prepaid balance',
};

function lines({
  canConsume,
  consumptionCurrency,
  balances,
  x402Usd,
  diemEpochAllocation,
  diemEpochEndsAt,
}: Awaited<ReturnType<Awaited<ReturnType<typeof readCustomer>>['balance']>>): string {
  const pots = [
    ['Daily allocation', balances.diem],
    ['Bundled credits', balances.bundledCredits],
    ['USD', balances.usd],
    ['Prepaid over x402', x402Usd],
  ] as const;
  const shown = pots.flatMap(([name, amount]) =>
    amount === undefined ? [] : [`${name.padEnd(18)} ${String(amount)} USD`],
  );
  return [
    ...shown,
    canConsume
      ? `Calls are paid from ${PAID_FROM[consumptionCurrency]}.${diemEpochAllocation > 0 ? ` The next daily allocation starts at ${printableLine(diemEpochEndsAt)}.` : ''}`
      : 'There is nothing to spend: top up, or stake.',
    '',
  ].join('\n');
}
