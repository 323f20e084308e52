import { formatCount } from '../amounts';

/** How many of something, with its word in the right number: `1 charge`, `2,000 charges`. */
function counted(count: number, word: string): string {
  return `${formatCount(count)} ${word}${count === 1 ? '' : 's'}`;
}

/** Every sentence about charges, their sums and what they did to the balances, which load with them. */
export const chargesWords = {
  csv: 'CSV',
  csvOf: (what: string) => `CSV: ${what}`,
  sums: {
    empty: 'No charges in this period.',
    charges: (count: number) => counted(count, 'charge'),
    onlySome: (shown: number, all: number) =>
      `The ${shown} most expensive of ${formatCount(all)}. The CSV file has all of them.`,
    wallet: 'Wallet sign-in',
  },
  pots: {
    label: 'Reconciliation',
    tableLabel: 'How each balance changed',
    adds: 'The charges add up to the balance: what was there, plus what came in, minus what was charged or expired, is what is there now.',
    countsAll: ' The balances count every charge of the period, whatever the filter.',
    doesNotAdd: 'The charges do not add up to the balance.',
    tellOperator: 'Please tell the operator of this gateway: its ledger has to be checked.',
    pot: 'Balance',
    columns: { opening: 'Opening', credited: 'Credited', charged: 'Charged', expired: 'Expired', closing: 'Closing' },
    names: { DIEM: 'Daily allocation', BUNDLED_CREDITS: 'Bundled credits', USD: 'USD', X402: 'Prepaid by the wallet' },
  },
  charges: {
    title: 'Charges',
    note: 'One for each request. Its ID is the X-Request-ID header of the answer.',
    empty: 'Nothing was charged in this period. Your next paid call will be the first entry.',
    notFound:
      'No charge of this period has this request ID. A request that failed costs nothing and leaves no charge; one that somebody else paid for is among their charges.',
    wallet: 'Wallet sign-in',
    copyId: (id: string) => `Copy the request ID ${id.slice(0, 8)}`,
    older: 'Show older charges',
    isLoading: 'Loading…',
    units: (count: number, unit: string) => counted(count, unit),
    /** What a resource is counted in, by the part of its name before the slash. */
    unitOf: { rpc: 'credit', chat: 'token', speech: 'character', video: 'second' } as Readonly<Record<string, string>>,
    anyUnit: 'unit',
    pots: { DIEM: 'allocation', BUNDLED_CREDITS: 'bundled', USD: 'USD', X402: 'prepaid' },
  },
} as const;
