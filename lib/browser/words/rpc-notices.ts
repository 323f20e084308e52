export const rpcNoticeWords = {
  replaced: {
    title: 'Another request has taken the place of yours.',
    text: 'It has not been sent. Read it before you send it.',
    sent: 'Yours is kept until you decide.',
    back: 'Back to mine',
    leave: 'Leave it',
  },

  longLink: {
    title: 'This link is too long to open.',
    text: (most: string) =>
      `It holds more than ${most}. Nothing was taken from it, and nothing was sent. Ask whoever sent it to you to export the request as a file, and import that under Saved.`,
  },

  notSent: (problem: string) => `Not sent. ${problem}`,
} as const;
