import { formatCount } from '@/lib/browser/text/amounts';

export const chatTurnWords = {
  question: {
    asked: 'You asked',
    less: 'Show less',
    all: (characters: number) => `Show all ${formatCount(characters)} characters`,
    edit: 'Edit the question',
    editTitle: 'Edit the question, and ask again',
    edited: 'The question, edited',
    staysAsVersion: 'What was said so far stays, as an earlier version.',
    cancel: 'Cancel',
    askAgain: 'Ask again',
  },

  versions: {
    label: 'Versions of this question',
    earlier: 'Earlier version',
    later: 'Later version',
    place: (number: number, count: number) => `Version ${number} of ${count}`,
  },

  answer: {
    label: 'Answer',
    thinking: 'Thinking',
    otherKeyTitle: 'Answered by a key other than the one attested before; that key was attested after the answer.',
    otherKey: (sentence: string) =>
      `${sentence} The enclave was restarted, or another one answered in its place. It has proved itself since, but had not when you asked. Ask again to get an answer by the key that is attested now.`,
    goOn: 'Continue from here',
    goOnTitle: 'Asks for the rest; what came stays',
    goOnQuestion: 'Your last answer broke off. Go on exactly where it ended, without repeating anything.',
    copy: 'Copy the answer',
    wire: 'What crossed the wire',
    wireTitle: 'What crossed the wire: the bytes that were sent and received for this answer',
    askAgain: 'Ask again',
    inOtherTab: 'Another tab of this browser is receiving the answer. It appears here when it is complete.',
    leftBefore: 'This question has no answer: the page was left before it came.',
    wordless: 'The model ended its answer without writing anything.',
    stopped: 'Stopped. You pay for what had been sent and written by then.',
    cut: 'Cut off: the answer reached the length that was allowed.',
    facts: (firstWord: string | null) =>
      `Tokens of the question and everything before it + tokens of the answer; what they cost; total time${firstWord === null ? '' : `, of which ${firstWord} until the first word`}`,
    fits: 'Fits the schema, as checked in this browser',
    misfits: 'The answer does not fit the schema.',
    code: (language: string) => `Code, ${language}`,
    copyCode: 'Copy the code',
    plainCode: 'text',
    done: 'done',
    notDone: 'not done',
    table: 'Table',
    picture: (name: string) => `picture: ${name}`,
  },

  running: {
    attesting: 'Verifying the enclave before anything is sent',
    waiting: 'Waiting for the first word',
    answering: 'Answering',
    checking: 'Checking the signature',
    notYetVouched: 'not verified yet',
  },

  signature: {
    verified: 'signature verified',
    'attested-after': 'signed by a key attested afterwards',
    sealed: 'from the attested enclave',
    'sealed-pieces': 'from the attested enclave, each piece by itself',
    failed: 'signature is not valid',
    unchecked: {
      unanswered: 'signature not checked: no answer came',
      refused: 'signature not checked: the gateway could not fetch it',
      late: 'signature not checked: there was none when it was asked for again',
    },
    unavailable: 'not signed',
    checkAgain: 'Check again',
    checking: 'Checking…',
  },

  beside: {
    sides: 'Answers of two models',
    stop: (modelId: string) => `Stop ${modelId}`,
    retry: (modelId: string) => `Ask ${modelId} again`,
  },
} as const;
