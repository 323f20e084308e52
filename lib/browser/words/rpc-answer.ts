/** What a person reads on the RPC page once a call is sent. */
export const rpcAnswerWords = {
  ofEarlierCall: 'of the earlier call',
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
