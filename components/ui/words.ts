export const uiWords = {
  operatorPages: {
    name: 'About this gateway',
    terms: 'Terms',
    privacy: 'Privacy',
    support: 'Support',
    status: 'Status',
  },
  close: 'Close',
  calendar: {
    choose: 'Choose a day',
    example: 'YYYY-MM-DD',
    earlier: 'Earlier month',
    later: 'Later month',
  },
  notLoaded: 'This part could not be loaded.',
  tryAgain: 'Try again',
  copied: 'Copied',
  copyBlocked: 'The browser blocked copying. Select the text and copy it by hand.',
} as const;
