export const rpcAnswerWords = {
  ofEarlierCall: 'earlier request',
  answerTo: (methods: string, network: string) => `Answers ${methods} on ${network}, not the request as it is now.`,
  methods: (first: string, others: number) => `${first} and ${others} more`,
  sending: 'sending…',
  noResult: 'no result',
  replayed: 'replayed',
  notKept: 'not kept',
  result: 'result',
  results: (count: number) => `${count} results`,
  rpcError: 'JSON-RPC error',
  someFailed: (failed: number, all: number) => `${failed} of ${all} failed`,
  waiting: 'Waiting for the answer',
  cancelMeaning: 'Cancelling does not undo what the node may have done already.',
  waitingSince: 'Waiting for',
  cut: (shown: string, all: string) => `The first ${shown} of ${all}. Copying takes all of it.`,
} as const;

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
      `It has more than ${most}. Nothing was read from it, and nothing was sent. Ask the sender for the request as an exported file. Import that under Saved.`,
  },

  notSent: (problem: string) => `Not sent. ${problem}`,
} as const;
