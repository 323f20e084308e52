import { formatCount } from '@/lib/browser/text/amounts';

export const overviewWords = {
  title: 'One gateway. Your wallet is the account.',
  titleOfKeys: 'One gateway. One key.',
  intro: ({ chat, speech, video }: Readonly<Record<string, unknown>>) =>
    chat === false && speech === false && video === false
      ? 'Blockchain RPC over one API.'
      : 'Blockchain RPC, private chat, embeddings, images, speech and video over one API.',
  makeACall: 'Make a call',
  hero: {
    connect: 'Connect wallet',
    haveKey: 'I have a key',
    title: 'A call without a key',
    call: (path: string) => `GET ${path}`,
    run: 'Run',
  },
  glance: {
    label: 'At a glance',
    have: 'Balance',
    topUp: 'Top up',
    toSpend: 'prepaid by your wallet',
    keyToSpend: 'of your key',
    sharedToSpend: 'of the demo key, shared by all who use it',
    noBalance: 'The balance could not be read.',
    nobodyPays: 'Connect a wallet or add an API key to make calls.',
    noKey: 'Add an API key to make calls. The operator gives them out.',
    endedSignIn: 'The wallet’s sign-in has ended. Sign in again to see this.',
    spent: 'Spending, 30 days',
    noCharges: 'The charges could not be read.',
    nothingSpent: 'Nothing spent yet.',
    spentIn: (days: number, charges: number) =>
      `${formatCount(charges)} ${charges === 1 ? 'charge' : 'charges'} in ${days} days`,
    sharedSpent: 'by all who use the demo key',
    inDays: (days: number) => `in ${days} days`,
    status: 'Status',
    unchecked: 'Not checked yet',
    looking: 'Reading the state of the networks…',
    notKnown: 'The gateway does not say.',
    nothingAnswers: 'Not known while the gateway does not answer.',
    answered: (answering: number) => `${answering} ${answering === 1 ? 'network answers' : 'networks answer'}`,
    recently: 'in the last 10 minutes',
    idle: (idle: number) => `${idle} idle until called`,
    inTrouble: (troubled: number) => `${troubled} in trouble`,
    modelsOffline: (offline: number, all: number) => `${offline} of ${all} models offline`,
    unusedYet: (connected: number) =>
      connected === 1
        ? '1 network is asked with its first call'
        : `${connected} networks are asked with their first call`,
    unconnected: (unconnected: number) => `${unconnected} not connected`,
  },
  spend: { usage: 'Usage' },
  steps: {
    next: 'Next step',
    progress: (done: number, all: number) => `${done} of ${all} done`,
    isDone: ', done',
    show: 'Show all steps',
    hide: 'Hide the steps',
    isToDo: ', not done yet',
    call: { name: 'Make a call', note: 'A block number, and what it cost.', control: 'Open RPC' },
    wallet: { name: 'Connect a wallet', note: 'No account, no email address.', control: 'Connect' },
    'sign-in': { name: 'Sign in with it', note: 'One signature, good for 8 hours.', control: 'Sign in' },
    'top-up': { name: 'Top up', note: 'From 5 USDC.', control: 'Top up' },
    topUpOn: (chains: readonly string[]) => `From 5 USDC, on ${chains.join(', ').replace(/, ([^,]*)$/, ' or $1')}.`,
    chat: {
      name: 'Ask a private question',
      note: 'Encrypted in this browser for a model whose enclave it has checked.',
      control: 'Open Chat',
    },
    key: { name: 'Stake and mint a key', note: 'For programs, with a daily allocation.', control: 'Keys & staking' },
  },
  lastCalls: {
    title: 'Last calls',
    demoTitle: 'Last calls with the demo key',
    openRpc: 'Open RPC',
    none: 'No calls yet.',
    makeTheFirst: 'Make the first call',
    columns: { resource: 'Call', time: 'Time', latency: 'Latency', cost: 'Cost' },
    allCharges: 'Usage',
  },
  /** Headings of the Overview page's lower half, shown before the lower half loads. */
  lowerHalf: {
    firstCall: 'Your first call',
    dollar: 'What one dollar buys',
    networks: 'Networks',
    models: 'Models',
  },
} as const;
