export const keysWords = {
  title: 'Keys & staking',
  intro: 'Stake tokens to mint API keys and to get a daily allocation.',
  loading: 'Loading',
  tryAgain: 'Try again',
  noContractsKnown: 'The gateway does not say where its staking contracts are.',
  noContracts: 'This gateway has no staking contracts.',
  askOperator: (hasTopUp: boolean) =>
    `Its operator has not set any up, so no keys can be minted here. Ask the operator for a key${hasTopUp ? ', or sign in with a wallet and top up' : ''}.`,
  noWallet: {
    connect: 'Connect an Ethereum wallet to stake and to mint a key.',
    demo: 'No wallet at hand? The sandbox has a demo wallet, made and kept in this browser.',
    careful: 'You see what the wallet is asked to sign before it signs anything.',
    needsEthereum: 'Minting a key needs an Ethereum wallet.',
    whyEthereum:
      'The stake is held by a contract on an Ethereum-compatible chain, so only such a wallet can prove it. Your Solana wallet can sign in and pay from its prepaid balance without any key.',
    connectEthereum: 'Connect an Ethereum wallet',
    connectAny: 'Connect wallet',
  },
  how: {
    label: 'How it works',
    connect: { name: 'Connect a wallet', note: 'It is your account.' },
    stake: (symbol: string) => ({
      name: `Stake ${symbol}`,
      note: 'Any amount. Take it back after a cooldown.',
    }),
    mint: { name: 'Mint a key', note: 'One signature. No transaction, no fee.' },
    call: { name: 'Call', note: 'With the SDK you already use.' },
  },
  can: {
    title: 'What a key can do',
    facts: [
      ['Call everything', 'RPC, chat, embeddings, images, speech and video.'],
      ['Spend in order', 'Daily allocation, credits, USD; then prepaid balance as far as you allow.'],
      ['Stay within limits', 'By day, month or lifetime, with a date of expiry.'],
      ['End when you say so', 'Revoke it at any time.'],
    ],
  },
  amount: {
    empty: 'Enter an amount.',
    noAmount: 'Write the amount in digits, with a point for decimals.',
    tooManyPlaces: (symbol: string, places: number) => `${symbol} has at most ${places} decimals.`,
    zero: 'Enter an amount above zero.',
    tooMuch: (max: string, symbol: string, where: string) => `Only ${max} ${symbol} ${where}.`,
  },
  calculator: {
    title: (symbol: string) => `What staking ${symbol} gives`,
    intro: (usd: string, symbol: string) =>
      `All stakers of ${symbol} share ${usd} a day, in proportion. It is renewed at 00:00 UTC.`,
    unread: 'The staking pool could not be read.',
    chainSilent: 'The chain gave no usable answer. Nothing that is staked is affected.',
    ifYouStaked: 'If you staked',
    preset: (amount: string, symbol: string) => `${amount} ${symbol}`,
    aDay: 'you could spend per day',
    tooLittle: (symbol: string) => `Less than 0.1 ${symbol} gives no allocation. `,
    nobody: (symbol: string) => `Nobody has staked ${symbol} yet.`,
    everybody: (amount: string, symbol: string) => `All stakers together have staked ${amount} ${symbol}.`,
    buys: 'Enough each day for one of these',
    ofPool: (percent: string) => `${percent} of the pool`,
  },
} as const;
