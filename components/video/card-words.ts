export const unqueuedVideoWords = {
  waiting: (prompt: string) => `“${prompt}” is waiting to be made.`,
  missed: 'The page was left before the gateway answered.',
  missedHelp: 'Ask for the video again. If the gateway already has it, you get that one, and you pay once.',
  again: 'Ask again',
  drop: 'Discard this video',
} as const;

export const videoCardWords = {
  progress: 'Progress',
  asking: 'Looking for it…',
  begun: 'Begun. The time left is shown in a moment.',
  left: ['About ', ' left; videos like this take ', '.'] as const,
  overdue: 'This is taking longer than usual.',
  ready: 'The video is ready.',
  unanswered: 'The gateway does not answer right now. It goes on making the video; this page keeps asking by itself.',
  notOthers:
    'Only the payment method that paid for a video can fetch it. Choose that one at the top of the page, then try again.',
  download: 'Download ',
  reuse: 'Use this prompt again',
  erase: 'Erase it from this browser too',
  remove: 'Remove from the list',
  deleted: 'Deleted from the server ',
  deletedStatus: (status: number) => `HTTP ${status}`,
  /** The page inserts the time after the first part, and the server's sentence after the second. */
  proof: ['Asked for it again at ', ', it answered: '] as const,
  request: (id: string) => `request ${id}`,
  delete: 'Delete from the server',
  deleteTitle: 'Delete this video from the server?',
  deleteHelp: 'Nobody can retrieve it from there again. The copy in this browser stays until you erase it.',
  deleteFailed: 'The video may still be there. Try again.',
  keep: 'Keep it',
  confirm: 'Delete the video',
  deleting: 'Deleting…',
  stillThere: 'The server said that it deleted the video, but still has it. Try again, and tell its operator.',
} as const;
