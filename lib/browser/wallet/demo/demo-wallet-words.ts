export const signingWords = {
  typedData: {
    title: (type: string) => `Sign ${type}`,
    consequence:
      'Typed data (EIP-712). A contract may act on it for this wallet, and may take a token payment from it.',
  },
  unknownToken: {
    title: 'Pay with a token that is not known here',
    consequence: 'Whoever gets this signature can move that much of the token out of this wallet, once.',
  },
  pay: {
    title: (amount: string, isOurs: boolean, chain: string) =>
      `Pay ${amount} to ${isOurs ? 'this gateway' : 'a stranger'} on ${chain}`,
    becomesBalance: 'It becomes this wallet’s prepaid balance.',
    noFee: 'The gateway pays the network fee.',
    notOurAddress: 'This is not the gateway’s address. Refuse, unless you know whose it is.',
    notOurAccount: 'This is not the gateway’s account. Refuse, unless you know whose it is.',
  },
  withdrawal: {
    title: (amount: string) => `Withdraw ${amount} to this wallet`,
    consequence: 'The gateway takes it from the prepaid balance and pays it to this wallet, minus the fee.',
  },
  signIn: {
    here: 'Sign in to this gateway',
    elsewhere: (domain: string) => `Sign in to ${domain}`,
    consequence: 'Lets calls be paid from what this wallet has prepaid here. It moves nothing out of the wallet.',
    otherSite: 'This is not the gateway whose page you see. Refuse, unless you meant to sign in there.',
    noEnd: 'no end is given',
  },
  message: {
    title: 'Sign a message',
    mintToken:
      'The gateway’s token for minting an API key. Signing it proves that this wallet asks for the key. It moves no money.',
    anything: 'Proves to whoever gets the signature that this wallet signed exactly this. It moves no money by itself.',
  },
  headlines: {
    approve: (amount: string) => `Approve ${amount}`,
    approvePool: 'Lets the staking contract take this amount. Nothing moves yet.',
    approveStranger: (spender: string) =>
      `Lets ${spender} take this amount. Refuse, unless you know whose address it is.`,
    stake: (amount: string) => `Stake ${amount}`,
    stakeConsequence: 'Moves the tokens into the staking contract. You can unstake them at any time.',
    unstake: (amount: string) => `Unstake ${amount}`,
    unstakeConsequence: 'Starts the cooldown. Take the tokens back when it is over.',
    takeBack: (symbol: string) => `Take back ${symbol}`,
    takeBackConsequence: 'Moves the tokens from the staking contract into this wallet.',
  },
  transaction: {
    send: 'Send a transaction',
    sendConsequence: 'Changes the chain, and cannot be undone.',
    sign: 'Sign a transaction',
    signConsequence: 'Whoever gets it can send it, once, until its blockhash expires after about a minute.',
    noData: 'No data: a plain transfer.',
    newContract: 'a new contract',
    tableAccount: 'an account of a lookup table',
    systemProgram: 'System program',
  },
  facts: {
    amount: 'Amount',
    fee: 'Fee',
    to: 'To',
    token: 'Token',
    chain: 'Chain',
    baseUnits: 'Base units',
    validUntil: 'Valid until',
    validFor: 'Valid for',
    aMinute: 'about a minute',
    account: 'To the account',
    feePayer: 'Fee payer',
    networkFee: 'Network fee',
    paysFee: 'paid by this wallet',
    paidBy: (payer: string) => `none for this wallet: paid by ${payer}`,
    where: 'Where',
    until: 'Until',
    unreadableTime: 'a time that cannot be read',
    value: 'Value',
    feeAtMost: 'Fee at most',
  },
} as const;
