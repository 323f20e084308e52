export const stakingWords = {
  label: 'Staking',
  otherChain: (chain: string) => `Your wallet is on another chain than ${chain}.`,
  happensOn: (chain: string) => `Staking happens on ${chain}. Nothing is sent while the wallet is elsewhere.`,
  right: {
    purpose: 'The right to a key',
    explanation: 'With any amount above zero staked here, this wallet can mint API keys.',
  },
  allocation: {
    purpose: 'The daily allocation',
    explanation: 'At least 0.1 gives a daily allocation, fixed once a day and renewed at 00:00 UTC.',
  },
  tryAgain: 'Try again',
  chainSilent: (chain: string) => `${chain} does not answer.`,
  inWallet: 'In the wallet',
  staked: 'Staked',
  stakedByAll: 'Staked by all',
  noCoin: (coin: string, chain: string) => `The wallet has no ${coin} on ${chain} to pay network fees with.`,
  noToken: (symbol: string) => `The wallet has no ${symbol}.`,
  faucet: 'The faucet gives coin and tokens for the sandbox.',
  getSome: (chain: string) => `Get some on ${chain}, then come back.`,
  direction: 'Direction',
  directions: { stake: 'Stake', unstake: 'Unstake' },
  amountOf: (symbol: string) => `Amount of ${symbol}`,
  max: 'Max',
  ofWallet: 'in the wallet',
  ofStake: 'staked',
  cooldown: (time: string) =>
    `Unstaked tokens cool down for ${time} before you can take them back. Meanwhile they count for nothing.`,
  twoSteps: (time: string) =>
    `Your wallet asks twice: to approve the amount, then to stake it. You can unstake at any time; the tokens come back after ${time}.`,
  submit: (direction: 'stake' | 'unstake', symbol: string) =>
    `${direction === 'stake' ? 'Stake' : 'Unstake'} ${symbol}`,
  allocationNow: 'Your daily allocation',
  afterStaking: 'After staking',
  afterUnstaking: 'After unstaking',
  underMinimum: 'Less than 0.1 staked gives no allocation. ',
  fromTomorrow: (usd: string) => `From 00:00 UTC your stake gives ${usd}. `,
  poolNote: (usd: string) =>
    `The pool is ${usd} a day, shared by all stakes. Today’s allocation is fixed: it stays the same until 00:00 UTC.`,
  canBeTaken: 'can be taken back.',
  coolsDown: 'cools down for',
  takeBack: 'Take back',
  approved: (amount: string, symbol: string) => `${amount} ${symbol} approved, and not staked yet.`,
  goOn: 'The chain shows that the first of the two steps is done. Go on with the second, or stake another amount below.',
  stakeApproved: (amount: string, symbol: string) => `Stake the ${amount} ${symbol}`,
  transactions: 'Transactions',
  clear: 'Clear',
  copyHash: 'Copy the transaction hash',
  lookUp: 'Look it up',
  states: {
    waiting: 'waits for the step before',
    skipped: 'not needed',
    asking: 'confirm it in your wallet',
    pending: 'sent, waiting for a block',
    done: 'done',
    failed: 'did not happen',
  },
} as const;

export const poolStepWords = {
  approve: {
    name: (symbol: string) => `Approve ${symbol}`,
    purpose: 'Lets the staking contract take exactly this amount from your wallet.',
    skipped: 'The contract may take this much already.',
  },
  stake: {
    name: (symbol: string) => `Stake ${symbol}`,
    purpose: 'Moves the tokens into the staking contract, in your name.',
  },
  unstake: {
    name: (symbol: string) => `Unstake ${symbol}`,
    purpose: 'Takes the tokens out of the stake and starts their cooldown.',
  },
  withdraw: { name: (symbol: string) => `Take ${symbol} back`, purpose: 'Returns the tokens to your wallet.' },
  otherChain: 'The wallet is on another chain.',
  cancelled: 'The transaction was cancelled in the wallet.',
  replaced: 'Another transaction took its place.',
} as const;
