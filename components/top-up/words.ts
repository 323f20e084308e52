import { formatCount } from '@/lib/browser/text/amounts';

export const topUpWords = {
  title: 'Top up',
  intro:
    'Pay USDC once and spend it by the call. Your wallet signs, the gateway pays the network fee, and the balance belongs to the wallet: no account, no key.',
  payMore: 'Top up again',
  noTerms: 'The gateway does not say how it can be paid.',
  noRails: 'This gateway takes no payments.',
  askOperator: 'Its operator has not set any up. Ask the operator for credit, or use a key that has some.',
  tryAgain: 'Try again',
  loading: 'Loading',
  nothingSigned: 'Nothing was signed.',
  payLabel: 'Pay',
  buys: (amount: string) => `${amount} buys one of these`,
  amount: {
    legend: 'Amount in USDC',
    another: 'Another amount',
    from: (minimum: string) => `minimum ${minimum}`,
    buysCalls: (calls: number, cost: string) => `About ${formatCount(calls)} standard calls at ${cost} each.`,
    callCosts: (cost: string) => `A call costs from ${cost}.`,
    problems: {
      empty: 'Enter an amount.',
      noAmount: 'Write the amount in digits, with a point for decimals, such as 12.50.',
      tooManyPlaces: (places: number) => `USDC has at most ${places} decimals.`,
      tooLittle: (minimum: string) => `The minimum is ${minimum} USDC.`,
      tooMuch: 'The maximum at once is 1,000,000 USDC.',
    },
  },
  rails: {
    legend: 'Pay on',
    standIn: 'stand-in',
    anyEvm: 'any Ethereum wallet',
    anySolana: 'any Solana wallet',
    balanceNotKnown: 'balance not known',
    outOfReach: 'for API clients and the demo wallet',
  },
  form: {
    connectEvm: 'Connect an Ethereum wallet',
    connectSolana: 'Connect a Solana wallet',
    preparing: 'Preparing…',
    review: 'Review',
    demoKey: 'the demo key',
    yourKey: (key: string) => `your key ${key}`,
    paidNow: (who: string) =>
      `Calls are paid by ${who} now, which cannot spend what a wallet pays in. Once it is credited, you choose.`,
    looksUp: 'Looking up what your wallet holds…',
    leaves: (amount: string, symbol: string) => `Leaves ${amount} ${symbol} in your wallet.`,
    reviewAmount: (amount: string) => `Review ${amount}`,
  },
  steps: {
    label: 'Steps of a payment',
    names: { review: 'Review', signature: 'Signature', settlement: 'Settlement', credit: 'Credit' },
    review: 'You see every field of what will be signed before the wallet asks.',
    signatureEvm: 'You sign an authorization (EIP-3009). You send no transaction, so you need no ETH.',
    signatureSolana:
      'You sign a transaction with a single transfer in it. The gateway pays its fee, so you need no SOL.',
    settlement: (title: string) =>
      `The gateway sends it to ${title}, pays the network fee, and waits until it is final.`,
    credit: (symbol: string) => `The ${symbol} that arrived is credited in full, exactly once.`,
    lookAtWallet: 'check your wallet',
  },
} as const;
