export const payerWords = {
  name: 'Payment method',
  title: 'Payment method and balance',
  pays: 'Pays:',
  demoKey: 'Demo key',
  signInAgain: 'Sign in again',
  choose: 'Choose a payment method',
} as const;
