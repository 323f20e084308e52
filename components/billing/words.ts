export const billingWords = {
  products: {
    rpc: 'RPC',
    chat: 'Chat',
    speech: 'Speech',
    transcriptions: 'Transcripts',
    embeddings: 'Embeddings',
    images: 'Images',
    video: 'Video',
  } as Readonly<Record<string, string>>,
  pots: { diem: 'Daily allocation', bundled: 'Bundled credits', usd: 'USD', x402: 'Prepaid by the wallet' },
  potNotes: {
    diem: 'from your stake, renewed daily',
    bundled: 'given by the operator',
    usd: 'given by the operator',
    x402: 'from top-ups',
  },
  nextCall: 'next call',
  allocationIs: 'Today’s allocation is',
  isRenewed: '; it is renewed in',
  noAllocation: 'No daily allocation today. Stakes are counted again in',
  atMidnight: ', at 00:00 UTC.',
  buys: {
    rpc: { what: 'RPC', unit: 'calls' },
    chat: { what: 'Chat', unit: 'tokens' },
    speech: { what: 'Speech', unit: 'minutes' },
    video: { what: 'Video', unit: 'seconds' },
  },
} as const;
