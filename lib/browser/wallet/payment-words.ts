export const paymentDraftWords = {
  notTaken: (title: string) => `The gateway takes no payments on ${title} at the moment.`,
  otherTerms: 'The gateway now asks for a different amount or receiver than it did before.',
  unreadable: (title: string) => `This page has no way to read ${title}, and a payment there needs one.`,
  otherTransaction: 'The transaction does not pay what was asked, so it was not given to the wallet.',
  doesMore: 'The transaction does something other than pay, so it was not given to the wallet.',
  movesNothing: 'The transaction moves no token, so it was not given to the wallet.',
  noRoom: 'This browser has no room left to keep a signed payment.',
  facts: {
    domain: 'Signing domain',
    domainText: (name: string, version: string, chainId: number) => `${name}, version ${version}, chain ${chainId}`,
    contract: 'Token contract',
    nonce: 'Nonce',
    mint: 'Token mint',
    account: 'To the account',
    feePayer: 'Fee paid by',
    blockhash: 'Blockhash',
  },
  typedData: (type: string) => `Typed data (EIP-712), ${type} (EIP-3009)`,
  transaction: 'Solana transaction',
  tableAccount: 'an account of a lookup table',
  computeBudget: 'Compute budget',
  computeUnits: (units: number) => `Compute budget: at most ${units} units`,
  computePrice: (price: bigint) => `Compute budget: ${price} micro-lamports a unit, paid by the fee payer`,
  memo: (text: string) => `Memo: ${text}`,
  transfer: (amount: bigint, decimals: number | undefined) =>
    `Token program: TransferChecked, ${amount} base units, ${decimals} decimals`,
} as const;

export const paymentCureWords = {
  insufficient: 'Nothing was taken. Get more of the token into the wallet, or pay a smaller amount.',
  tooSmall: 'Nothing was taken. Choose a larger amount.',
  tooLarge: 'Nothing was taken. Choose a smaller amount.',
  alreadyUsed:
    'Nothing was taken by this payment. The history below shows whether an earlier one was credited; if not, sign a new one.',
  malleable: 'Nothing was taken. This wallet signs in a form that tokens refuse. Pay with another wallet.',
  gasTooHigh:
    'Nothing was taken. This contract wallet needs more gas than the gateway pays for. Pay with another wallet.',
  notDeployed:
    'Nothing was taken. This wallet is not deployed yet: send a transaction from it first, or pay with another wallet.',
  nonceUsed:
    'This authorization can take nothing more. The history below shows whether it was credited before; if not, sign a new one.',
  tooLate:
    'Nothing was taken, and this authorization can take nothing any more. Sign a new one, and confirm it in the wallet before it expires.',
  tooEarly: 'Nothing was taken. The clock of this device may be ahead: set it right, then sign a new one.',
  signature:
    'Nothing was taken. The wallet may have switched to another account or chain in the meantime. Check both, then sign a new one.',
  simulationFailed: 'Nothing was taken. Check that the wallet holds enough of the token, then sign a new payment.',
  failed: 'This payment is over and can no longer be taken. Sign a new one.',
  other: 'Nothing was taken. Sign a new payment.',
} as const;

export const paymentProgressWords = {
  sending: 'Sent to the gateway, which checks it, sends it to the chain and waits until the chain has confirmed it.',
  notKnown: 'The state of this payment is not known yet.',
} as const;
