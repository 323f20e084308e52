import { formatCount } from '../amounts';

/** Every sentence of the Overview page, by its parts. */
export const overviewWords = {
  title: 'One gateway. Your wallet is the account.',
  intro: 'Blockchain RPC, private chat, speech and video over one HTTP API. Each answer says what it cost.',
  makeACall: 'Make a call',
  glance: {
    label: 'At a glance',
    have: 'You have',
    toSpend: 'to spend on calls',
    keyToSpend: 'with your key; a wallet’s is apart',
    sharedToSpend: 'shared by all who use the demo key',
    noBalance: 'The balance could not be read.',
    nobodyPays: 'Connect a wallet, or enter an API key.',
    endedSignIn: 'Sign in again to see it.',
    spent: 'You spent',
    noCharges: 'The charges could not be read.',
    nothingSpent: 'Nothing yet: nobody pays for calls.',
    spentIn: (days: number, charges: number) =>
      `in ${days} days, on ${formatCount(charges)} ${charges === 1 ? 'charge' : 'charges'}`,
    sharedSpent: (days: number) => `in ${days} days, by all with the demo key`,
    inDays: (days: number) => `in ${days} days`,
    works: 'Is everything working?',
    verdicts: { healthy: 'Yes', degraded: 'Mostly', failing: 'No' },
    looking: 'Asking the networks…',
    notKnown: 'The gateway does not say.',
    nothingAnswers: 'Not known while nothing answers.',
    /** How many of them run, how many are not asked before somebody calls them, and how many the operator has not connected. */
    networks: (running: number, unused: number, unconnected: number) =>
      [
        running > 0 || unused === 0 ? `${running} ${running === 1 ? 'network runs' : 'networks run'}` : '',
        unused === 0
          ? ''
          : `${unused} ${running === 0 ? (unused === 1 ? 'network starts' : 'networks start') : unused === 1 ? 'starts' : 'start'} with ${unused === 1 ? 'its' : 'their'} first call`,
        unconnected === 0 ? '' : `${unconnected} ${unconnected === 1 ? 'is' : 'are'} not connected`,
      ]
        .filter(Boolean)
        .join(', '),
    networksInTrouble: (troubled: number, all: number) => `${troubled} of ${all} networks in trouble`,
    modelsOffline: (offline: number, all: number) => `${offline} of ${all} models offline`,
  },
  balance: {
    title: 'Balance',
    nobodyPays: 'Nobody pays for calls yet. Connect a wallet, or enter an API key.',
  },
  spend: {
    title: (days: number) => `Spent in ${days} days`,
    demoTitle: (days: number) => `Spent with the demo key in ${days} days, by everybody`,
    usage: 'Usage',
    nobodyPays: 'Nothing to show while nobody pays for calls.',
  },
  steps: {
    title: 'First steps',
    isDone: ', done',
    allDone: 'All six are done.',
    show: 'Show them',
    hide: 'Hide them',
    isToDo: ', not done yet',
    call: { name: 'Make a call', note: 'A block number, and what it cost.', control: 'Open RPC' },
    wallet: { name: 'Connect a wallet', note: 'No account, no email address.', control: 'Connect' },
    'sign-in': { name: 'Sign in with it', note: 'One signature, good for 8 hours.', control: 'Sign in' },
    'top-up': { name: 'Top up', note: 'From 5 USDC, on Base or Solana.', control: 'Top up' },
    chat: {
      name: 'Ask a private question',
      note: 'Encrypted in this browser for a model whose enclave it has checked.',
      control: 'Open Chat',
    },
    key: { name: 'Stake and mint a key', note: 'For programs, with a daily allocation.', control: 'Keys & staking' },
  },
  /** Its headings, which are there before it. */
  lowerHalf: {
    firstCall: 'Your first call',
    lastCalls: 'Your last calls',
    dollar: 'What one dollar buys',
    gateway: 'This gateway',
    networks: 'Networks',
    models: 'Models',
  },
} as const;
