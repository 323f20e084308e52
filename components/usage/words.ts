import { formatCount } from '@/lib/browser/text/amounts';
import type { KeyName } from '@/lib/client';

export function keyNameText({ description, last6 }: KeyName): string {
  return `${description || 'Unnamed key'} …${last6}`;
}

function counted(count: number, word: string): string {
  return `${formatCount(count)} ${word}${count === 1 ? '' : 's'}`;
}

export const usageWords = {
  title: 'Usage',
  nobodyPays: 'Sign in with a wallet, or enter an API key, to see its usage.',
  noKey: 'Add an API key to see its usage.',
  tabs: { cost: 'Cost', requests: 'Requests', tokens: 'Tokens', latency: 'Latency' },
  tabsLabel: 'Figure',
  by: 'Stacked by',
  stacks: { product: 'Product', model: 'Model', network: 'Network', key: 'Key', status: 'Status' },
  none: {
    product: 'Unknown',
    model: 'Without a model',
    network: 'Without a network',
    key: 'Wallet sign-in',
    status: 'Unknown',
  },
  others: 'Others',
  statuses: (status: string) => (status === 'interrupted' ? 'Interrupted' : status),
  period: {
    days: (days: number) => (days === 1 ? 'today (UTC)' : `in ${days} days`),
    day: (day: string) => `on ${day} (UTC)`,
  },
  cost: {
    note: (charges: number) => counted(charges, 'charge'),
    refunded: (amount: string) => `${amount} refunded for failed videos`,
    empty: 'Nothing was charged.',
    noStatus: 'Only successful work is charged, so the status filter does not apply here.',
  },
  requests: {
    note: (requests: number) => counted(requests, 'request'),
    failed: (failed: number) => (failed === 0 ? 'none failed' : `${formatCount(failed)} failed`),
    empty: 'No requests.',
  },
  tokens: {
    figure: (tokens: number) => formatCount(tokens),
    note: (requests: number) => `tokens in ${counted(requests, 'request')}`,
    empty: 'No tokens of chat or embeddings.',
  },
  latency: {
    note: (requests: number) => `on average over ${counted(requests, 'request')}`,
    half: 'Half of them within',
    most: '95 of 100 within',
    averages: 'On average',
    by: 'Averages by',
    empty: 'No requests.',
  },
  logDays: 'From the log of requests, which keeps up to 30 days.',
  plot: {
    label: 'Parts',
    table: 'As a table',
    hour: 'Hour (UTC)',
    day: 'Day (UTC)',
    total: 'Total',
    open: (day: string) => `${day}: show its hours`,
    csv: 'CSV',
    csvOf: (tab: string) => `CSV: ${tab}`,
  },
  filters: {
    period: 'Period',
    days: (days: number) => (days === 1 ? 'Today' : days === 365 ? '1 year' : `${days} days`),
    remove: (label: string) => `${label}: show all again`,
    onlyRequest: (id: string) => `Request ${id.slice(0, 8)}…`,
    key: (key: KeyName | null | undefined, id: string) => (key ? keyNameText(key) : `Key no. ${id}`),
  },
  export: {
    requests: 'Export CSV',
    charges: 'Export charges',
    isCollecting: 'Collecting…',
    isCut: 'The file has the newest 50,000. Choose a shorter period to get older ones.',
    failed: (sentence: string) => `${sentence} Nothing was saved; try again.`,
  },
  find: {
    label: 'Find a request',
    hint: 'by its X-Request-ID',
    button: 'Find',
    notAnId:
      'That is not a request ID. It is the value of the X-Request-ID header of an answer: 32 letters and digits.',
  },
} as const;
