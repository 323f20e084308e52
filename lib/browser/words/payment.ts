/** What is shown before the wallet is asked. */
export const reviewWords = {
  youSign: 'You sign',
  pay: 'Pay',
  toGateway: (title: string) => `to this gateway on ${title}`,
  network: 'Network',
  from: 'From',
  receiver: 'Receiver',
  validUntil: 'Valid until',
  expired: 'expired',
  about: 'about ',
  left: 'left',
  fee: 'Network fee',
  noFee: 'none for you',
  whyNoFeeEvm: '(EIP-3009: the gateway sends it)',
  whyNoFeeSolana: '(the gateway is the fee payer)',
  copy: (name: string) => `Copy: ${name}`,
  hasExpired: 'What is shown here has expired.',
  nothingSigned: 'Nothing was signed.',
  otherAccount: 'Your wallet is on another account than the one this was prepared for.',
  itIsOn: 'It is on ',
  toBeSignedBy: ', but this payment has to be signed by ',
  switchBack: '. Switch back, or prepare it again. Nothing was signed.',
  prepareAgain: 'Prepare it again',
  lookAtWallet: 'Check your wallet…',
  signAgain: 'Try again',
  signWith: (wallet: string) => `Sign with ${wallet}`,
  change: 'Change',
  noRoom:
    'Nothing was signed: a payment is kept until it is credited, so that a closed window does not lose it. Erase conversations or spoken texts that you no longer need, then sign again.',
} as const;

/** What stands between a wallet and a payment, and what helps; and why a payment could not be prepared. */
export const payTroubleWords = {
  otherChain: (title: string) => `Your wallet is on another chain than ${title}.`,
  signsForItsChain: 'Wallets sign payments only for the chain that they are on.',
  wouldSignForReal: (title: string) =>
    `Your wallet would sign for the real ${title}, which this sandbox only stands in for.`,
  chooseInstead: (chain: string, title: string) =>
    `Choose ${chain} instead. The stand-in for ${title} is for API clients and for the demo wallet.`,
  hasNone: (symbol: string, title: string) => `The wallet has no ${symbol} on ${title}.`,
  hasOnly: (amount: string, symbol: string, title: string) => `The wallet has only ${amount} ${symbol} on ${title}.`,
  faucetGives: (symbol: string) =>
    `The faucet gives ${symbol} for the sandbox. You need nothing else: the gateway pays the network fee.`,
  sendSome: (symbol: string, title: string, address: string) =>
    `Send ${symbol} on ${title} to ${address}, or choose a smaller amount. You need nothing else: the gateway pays the network fee.`,
  chooseOtherChain: 'Nothing was signed. Choose another chain, or reload the page and review again.',
  refused: (hint: string | null) => `Nothing was signed. ${hint ?? 'Review again in a moment.'}`,
  chainSilent: 'Nothing was signed. The chain may not be answering: review again in a moment, or choose another one.',
  checkConnection: 'Nothing was signed. Check your connection, then review again.',
} as const;

/** A payment that is signed, until it has ended, and what comes after. */
export const paymentWords = {
  label: (amount: string) => `Payment of ${amount}`,
  titles: {
    sending: 'On its way',
    pending: 'On its way',
    credited: 'Credited',
    refused: 'Not accepted',
    stopped: 'No answer',
  },
  takenUpAgain: 'taken up again',
  from: 'from',
  on: (title: string) => `on ${title}`,
  leaveOpen: 'Leave this page open until the payment is credited.',
  onPageOnly: 'This browser cannot store anything, so the payment is on this page only.',
  nothingToDo: 'There is nothing for you to do.',
  asksAgain:
    'This page asks again by itself, by sending the same payment: it is credited once, however often it is sent. Do not sign another one for the same purpose.',
  payment: 'payment',
  canStillBeExecuted: 'It can be executed for another',
  timeIsOver: 'It has expired: if it has not been executed by now, it never will be. ',
  isKept: 'This browser keeps it until it has ended; you may close or reload the page meanwhile.',
  chooseAmount: 'Choose another amount',
  otherWallet: 'Pay with another wallet',
  payAnew: 'Pay again',
  askAgain: 'Ask again',
  forget: 'Forget it',
  notKnown:
    'It is not known whether the payment was taken. It is kept in this browser: asking again sends the same payment, which is credited once.',
  overButCredited: 'It has expired. If it did arrive, it is credited all the same, and the history below will show it.',
  receipt: {
    label: 'Receipt',
    credited: 'Credited',
    newBalance: 'New balance',
    payment: 'Payment',
    copyId: 'Copy the payment’s ID',
    transaction: 'Transaction',
    copyTransaction: 'Copy the transaction',
    toPrint: 'Printable receipt',
    nobodyPays: 'Nobody pays for calls yet.',
    paidBy: (who: string) => `Calls are paid by ${who}, which cannot spend this balance.`,
    demoKey: 'the demo key',
    yourKey: (key: string) => `your key ${key}`,
    takesSignIn: 'To pay with this wallet, sign in with it: one signature, good for 8 hours, that moves no money.',
  },
  next: {
    goTo: (name: string) => `go to ${name}`,
    goBackTo: (name: string) => `go back to ${name}`,
    rpcPage: 'the RPC page',
    goOn: 'go on',
    lookAtWallet: 'Check your wallet…',
    payWithThis: (then: string) => `Pay with this wallet and ${then}`,
    connectFirst: 'Connect the wallet to pay with it',
  },
} as const;

/** The top-up where it is needed. */
export const topUpDialogWords = {
  title: 'Top up',
  whoseBalance: 'The balance belongs to the wallet that pays it in',
  callsPaidBy: '; calls are paid by',
  goesOn: '. What was interrupted goes on as soon as the money is there.',
  noRails: 'Its operator has not set any up. Pay with a key that has credit.',
} as const;

/** What moved a wallet's balance. */
export const historyWords = {
  title: 'History',
  wallet: 'Wallet',
  balanceIsSafe: 'The balance itself is unchanged.',
  empty: 'Nothing yet. The first top-up of this wallet will appear here.',
  balance: 'Prepaid balance',
  pages: 'Pages of the history',
  newer: 'Newer',
  older: 'Older',
  signInFirst: 'Sign in with this wallet to see what it paid in and what it spent. You are asked once every 8 hours.',
  lookAtWallet: 'Check your wallet…',
  signIn: 'Sign in',
  tryAgain: 'Try again',
  columns: ['Time', 'What', 'Reference', 'Amount', 'Balance after'],
  types: { TOP_UP: 'top-up', CHARGE: 'charge', REFUND: 'credit' },
  receipt: 'Receipt',
  charge: 'Charge',
  csv: 'CSV',
  csvLabel: 'CSV: history',
  isCollecting: 'Collecting…',
  isCut: 'The file has the newest 10,000 only.',
  failed: (sentence: string) => `${sentence} Try again.`,
} as const;

/** Every sentence of the receipt that is printed. */
export const receiptPageWords = {
  title: 'Receipt',
  issuer: 'Turnpike',
  documentTitle: (number: string) => `Receipt ${number}`,
  back: 'Back to Top up',
  print: 'Print or save as PDF',
  about: (host: string) => `Prepaid balance for calls at ${host}`,
  number: 'Receipt number',
  date: 'Date',
  payer: 'Paid by',
  receiver: 'Paid to',
  network: 'Network',
  transaction: 'Transaction',
  paid: 'Amount paid',
  fee: 'Network fee',
  noFee: 'none: paid by the gateway',
  credited: 'Credited to the balance',
  notKnown: 'not known',
  note: 'The balance belongs to the wallet that paid. The transaction can be checked on its network by anybody.',
  notFound: 'This receipt cannot be shown.',
  signInFirst:
    'It is not kept in this browser. Connect the wallet that paid and sign in, and the gateway will show it.',
  wallets: 'Open wallets',
  notOurs: 'None of the wallets that are signed in here made this payment. Sign in with the wallet that paid.',
  tryAgain: 'Try again',
} as const;
