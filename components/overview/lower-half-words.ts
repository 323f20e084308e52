import { formatCount } from '@/lib/browser/text/amounts';
import { overviewWords } from './words';

export const overviewLowerWords = {
  firstCall: {
    title: overviewWords.lowerHalf.firstCall,
    note: (clients: string) =>
      `${clients} and any other JSON-RPC client work the same way: give them this address and the same header.`,
    clients: { evm: 'viem, ethers', solana: '@solana/kit, @solana/web3.js', starknet: 'starknet.js' },
  },
  dollar: {
    title: overviewWords.lowerHalf.dollar,
    what: 'What',
    price: 'Price',
    forADollar: 'For $1',
    free: 'free',
    tiers: { standard: 'Standard call', advanced: 'Advanced call', large: 'Large call' },
    calls: (count: number) => `${formatCount(count)} calls`,
    note: (price: string, credits: number, dear: readonly string[]) =>
      `${price} a credit. A standard call costs ${credits} credits${dear.length === 0 ? '' : `, 30 on ${dear.join(' and ')}`}; a JSON-RPC error costs 5.`,
    chat: { what: 'Chat', example: 'tokens of answers', unit: 'tokens', perUnit: 'M' },
    speech: {
      what: 'Speech',
      example: (characters: number) => `minutes of ${characters} characters`,
      unit: 'minutes',
      perUnit: 'min',
    },
    video: { what: 'Video', example: 'seconds of the cheapest model', unit: 'seconds', perUnit: 's' },
  },
  networks: {
    title: overviewWords.lowerHalf.networks,
    notKnown: 'The health of the networks is not known.',
    tryAgain: 'Try again',
    refreshed: 'Updated every 10 s while this page is visible.',
    failedLast: (sentence: string) => ` The last update failed: ${sentence}`,
    healthOf: (slug: string) => `Health of ${slug}`,
    sendACall: 'Send a call',
  },
  models: {
    title: overviewWords.lowerHalf.models,
    notListed: 'The models cannot be listed.',
    failedLast: (sentence: string) => `The last update of this list failed: ${sentence}`,
    tryAgain: 'Try again',
    isOffline: 'offline',
    none: '–',
    try: 'Try',
    tryModel: (name: string) => `Try ${name}`,
    columns: {
      model: 'Model',
      kind: 'For',
      privacy: 'Privacy',
      context: 'Context, tokens',
      price: 'Price',
      latency: 'First token here',
      action: 'Try',
    },
    kinds: {
      chat: 'Chat',
      speech: 'Speech',
      transcriptions: 'Transcripts',
      embeddings: 'Embeddings',
      images: 'Images',
      video: 'Video',
    },
  },
} as const;
