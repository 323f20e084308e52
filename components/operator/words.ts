import { formatCount } from '@/lib/browser/text/amounts';
import { formatMoment } from '@/lib/browser/text/moments';

export const operatorWords = {
  title: 'Operator',
  intro: 'Totals and counts, nothing about any one customer. Days are in UTC.',
  asOf: 'As of',
  readAgain: ', updated every 15 s.',
  refresh: 'Refresh',
  outOfDate: 'This may be out of date.',
  forgetKey: 'Forget the key',
  loading: 'Loading the figures…',

  traffic: {
    label: 'Now',
    perSecond: 'Requests a second',
    p95: 'Latency, p95',
    p95Note: 'of the slowest process',
    errors: 'Error rate',
    errorsNote: 'status 500 and above',
    income: 'Income today',
    none: '–',
    notYet: 'not measured yet',
    window: (ms: number) =>
      ms < 120_000
        ? `in ${Math.max(1, Math.round(ms / 1_000))} s`
        : `in ${formatCount(Math.round(ms / 60_000))} minutes`,
    rate: (perSecond: number) => (perSecond >= 10 ? formatCount(Math.round(perSecond)) : perSecond.toFixed(1)),
    share: (share: number) => `${(share * 100).toFixed(share > 0 && share < 0.01 ? 2 : 1)} %`,
  },

  glance: {
    label: 'At a glance',
    charges: (count: number) => `${formatCount(count)} ${count === 1 ? 'charge' : 'charges'}`,
    paidIn: 'Paid in today',
    byX402: 'by x402',
    accounts: 'Accounts',
    keys: (live: number, ended: number) =>
      `${formatCount(live)} live ${live === 1 ? 'key' : 'keys'}, ${formatCount(ended)} ended`,
    openPayments: 'Open payments',
    nothingOpen: 'none is waiting',
    oldest: (atMs: number) => `the oldest since ${formatMoment(atMs)}`,
    books: 'Books',
    neverChecked: 'never checked',
    agree: 'agree',
    faults: (count: number) => `${formatCount(count)} ${count === 1 ? 'fault' : 'faults'}`,
    checkThem: 'npm run admin -- ledger check',
    checked: (atMs: number) => `checked ${formatMoment(atMs)}`,
  },

  days: {
    title: 'Charged and paid in, by day',
    charged: 'Charged',
    paidIn: 'Paid in',
    withdrawn: 'Withdrawn',
    sums: {
      charged: 'charged and',
      paidIn: (days: number) => `paid in within ${days} ${days === 1 ? 'day' : 'days'}`,
      withdrawn: 'withdrawn',
    },
    nothing: 'Nothing was charged and nothing was paid in within these days.',
    table: 'The same as a table',
    day: 'Day (UTC)',
    count: 'Charges',
  },

  gateways: {
    title: 'Gateways',
    note: 'Processes on this data folder. Counts are since the start of each.',
    process: 'Process',
    since: 'Since',
    state: 'State',
    openCalls: 'Paid calls open',
    refused: 'Refused',
    serving: 'serving',
    draining: 'about to end',
    silent: 'does not answer',
    lookAtLog: 'Look into its log.',
  },

  refusals: {
    title: 'Refusals',
    nothing: 'Nothing has been refused.',
    code: 'Code',
    count: 'Count',
  },

  payments: {
    title: 'Open payments',
    nothing: 'No payment is open: each is credited or has failed.',
    state: 'State',
    count: 'Count',
    amount: 'Amount',
    oldest: 'Oldest since',
    states: {
      verified: 'verified, not submitted',
      submitted: 'submitted, not settled',
      settled: 'settled, not credited',
    } as Readonly<Record<string, string>>,
  },

  upstreams: {
    title: 'Upstreams',
    seenBy: 'As seen by process',
    caption: 'Upstreams of networks that were used',
    nothing: 'No network has been used since the start.',
    unused: (count: number) =>
      `${count} ${count === 1 ? 'network that nobody has' : 'networks that nobody has'} used yet`,
  },
} as const;
