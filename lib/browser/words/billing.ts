import { formatCount } from '../amounts';

export const billingWords = {
  pots: { diem: 'Daily allocation', bundled: 'Bundled credits', usd: 'USD', x402: 'Prepaid by the wallet' },
  nextCall: 'next call',
  allocationIs: 'Today’s allocation is',
  isRenewed: '; it is renewed in',
  noAllocation: 'No daily allocation today. Stakes are counted again in',
  atMidnight: ', at 00:00 UTC.',
  spentFor: 'for',
  spentIn: (charges: number, days: number) =>
    `${charges === 1 ? 'charge' : 'charges'} in ${days} ${days === 1 ? 'day' : 'days'}`,
  givenBack: 'refunded for failed videos',
  nothingCharged: 'Nothing was charged in this period.',
  buys: {
    rpc: { what: 'RPC', unit: 'calls' },
    chat: { what: 'Chat', unit: 'tokens' },
    speech: { what: 'Speech', unit: 'minutes' },
    video: { what: 'Video', unit: 'seconds' },
  },
  stack: { legend: 'What it was spent on', others: 'Others', table: 'As a table', day: 'Day', total: 'Total' },
  charges: (count: number) => `${formatCount(count)} ${count === 1 ? 'charge' : 'charges'}`,
} as const;
