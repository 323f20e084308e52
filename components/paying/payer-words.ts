export const payerWords = {
  name: 'Who pays',
  title: 'Who pays for calls, and what is left',
  pays: 'Pays:',
  demoKey: 'Demo key',
  signInAgain: 'Sign in again',
  choose: 'Choose who pays',
} as const;
