export const uiWords = {
  close: 'Close',
  notLoaded: 'This part could not be loaded.',
  tryAgain: 'Try again',
  copied: 'Copied',
  copyBlocked: 'Copying was blocked by the browser. Select the text and copy it by hand.',
} as const;
