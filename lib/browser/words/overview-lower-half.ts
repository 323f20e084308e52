import { formatCount } from '../amounts';
import { overviewWords } from './overview';

/** Every sentence below the fold of the Overview page, which loads later. */
export const overviewLowerWords = {
  firstCall: {
    title: overviewWords.lowerHalf.firstCall,
    note: 'viem, ethers and any other JSON-RPC client work the same way: give them this address and the same header.',
  },
  lastCalls: {
    title: overviewWords.lowerHalf.lastCalls,
    demoTitle: 'Last calls with the demo key, by everybody',
    openRpc: 'Open RPC',
    none: 'None yet in this browser.',
    makeTheFirst: 'Make the first call',
    allCharges: 'All charges',
  },
  dollar: {
    title: overviewWords.lowerHalf.dollar,
    what: 'What',
    price: 'Price',
    forADollar: 'For $1',
    free: 'free',
    tiers: { standard: 'Standard call', advanced: 'Advanced call', large: 'Large call' },
    calls: (count: number) => `${formatCount(count)} calls`,
    note: (price: string) =>
      `This gateway charges ${price} a credit, and a call costs 20 base credits on most networks, 30 on zkSync Era and Solana. A call that ends in a JSON-RPC error costs 5 credits.`,
    chat: { what: 'Chat', example: 'tokens of answers', unit: 'tokens', perUnit: 'M' },
    speech: {
      what: 'Speech',
      example: (characters: number) => `minutes of ${characters} characters`,
      unit: 'minutes',
      perUnit: 'min',
    },
    video: { what: 'Video', example: 'seconds of the cheapest model', unit: 'seconds', perUnit: 's' },
  },
  gateway: {
    title: overviewWords.lowerHalf.gateway,
    profile: 'Profile',
    notKnown: 'not known: the gateway does not answer',
    live: 'live: real networks, real charges',
    sandbox: 'sandbox',
    standIns: 'local stand-ins, no real money',
    pays: 'Who pays',
    walletSignIn: 'wallet sign-in',
    signInEnded: 'nobody: the wallet’s sign-in has ended',
    nobody: 'nobody yet',
    demoKey: 'demo key',
    ownKey: 'your own key',
    networks: 'Networks',
    listed: (all: number, mainnets: number, testnets: number) =>
      `${all} listed: ${mainnets} mainnets, ${testnets} testnets`,
    tryAgain: 'Try again',
    methods: 'Methods',
    methodCount: (count: number) => `${count} over HTTP, priced by tier`,
    contract: 'Contract',
    reference: 'API reference',
    openApi: 'OpenAPI document',
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
    none: 'This gateway has no models. Its operator connects them with CHAT_UPSTREAM_URL, ENCLAVE_UPSTREAM_URL, SPEECH_UPSTREAM_URL and VIDEO_UPSTREAM_URL.',
    isOffline: 'offline',
    answers: 'answers',
    kinds: { chat: 'Chat', speech: 'Speech', video: 'Video' },
  },
} as const;
