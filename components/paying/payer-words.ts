export const payerWords = {
  name: 'Payment method',
  title: 'Payment method and balance',
  pays: 'Pays:',
  wallet: 'Wallet',
  wallets: (addresses: readonly string[]) => `Wallets: ${addresses.join(' and ')}`,
  demoKey: 'Demo key',
  signInAgain: 'Sign in again',
  choose: 'Choose a payment method',
  /** Parts of `choose`. A phone shows only the second part. */
  chooseParts: ['Choose a', 'payment method'],
  addKey: 'Add an API key',
  addKeyParts: ['Add an', 'API key'],
} as const;
