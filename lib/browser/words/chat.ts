import { formatCount } from '../amounts';

export const chatWords = {
  page: { title: 'Chat', views: 'View', conversation: 'Conversation', width: 'Width of the conversation' },
  views: { talk: 'Chat', lock: 'Privacy', setup: 'Setup', code: 'Code', kept: 'History' },
  sidePanel: { tabs: 'Beside the conversation', loading: 'Loading' },

  bar: { begin: 'New conversation', beginShort: 'New' },

  beside: {
    add: 'Compare with a second model',
    addShort: 'Compare',
    group: 'Second model',
    model: 'Second model',
    remove: 'Stop comparing',
    sides: 'Answers of two models',
    stop: (modelId: string) => `Stop ${modelId}`,
    retry: (modelId: string) => `Ask ${modelId} again`,
    privacy: 'Privacy of',
  },

  model: {
    label: 'Model',
    none: 'No model',
    search: 'Search models…',
    notFound: 'No chat model of that name is offered.',
    encrypted: 'encrypted',
    encryptedTitle: 'Encrypted in this browser, to an enclave',
    attested: 'attested',
    attestedTitle: 'In an enclave; this gateway can read your messages',
    relayed: 'relayed',
    relayedTitle: 'Not in an enclave; this gateway can read your messages',
    encryptedGroup: 'Encrypted to an enclave: nobody in between can read it',
    attestedGroup: 'In an enclave: this gateway can read it',
    relayedGroup: 'Relayed: this gateway and the model’s server can read it',
    offline: 'offline',
    schema: 'schema',
    schemaTitle: 'Answers can be held to a JSON schema',
    tools: 'tools',
    toolsTitle: 'Can call functions, through the API',
    context: (tokens: number) => `${formatCount(tokens)} tokens of context`,
    price: (input: string, output: string, cached: string | null) =>
      `${input} in${cached === null ? '' : ` (${cached} cached)`}, ${output} out per million`,
  },

  privacy: {
    label: (word: string) => `Privacy: ${word}`,
    none: 'Not private',
    notVerified: 'Not verified',
    unanswered: 'No attestation',
    checking: 'Verifying…',
    verified: 'Verified',
    encrypted: 'Encrypted',
    checks: (passed: number, all: number) => `${passed} of ${all} checks`,
    'unknown-workload': 'Unknown workload',
    simulated: 'Simulated',
    failed: 'Failed',
    'not-checkable': 'Not checkable',
    changed: 'Changed',
  },

  thread: {
    label: 'Questions and answers',
    opening: 'Opening the conversation',
    noModels: 'The list of models could not be loaded.',
    retry: 'Try again',
  },

  empty: {
    loading: 'Loading the models',
    noModel: 'Ask a model',
    encrypted: 'An encrypted conversation',
    attested: 'A conversation with a model in an enclave',
    relayed: 'A conversation with a model',
    encryption: 'Messages are encrypted in this browser, to a key that only the enclave holds.',
    attestation: 'This browser verifies the enclave first.',
    seeChecks: 'See every check',
    noEnclave: 'This model does not run in an enclave: the gateway and the model’s server can read what you write.',
    toBegin: 'Try one of these',
    /** Example messages that suit any model and that the sandbox's model can answer. */
    examples: ['How do I top up with USDC?', 'What does a verified attestation prove?', 'How is an RPC call priced?'],
    kept: 'Conversations stay in this browser.',
    simulated: 'This enclave is simulated: it hides nothing from this machine.',
  },

  composer: {
    form: 'Question',
    label: 'Your question',
    ask: (modelId: string | null) => (modelId === null ? 'Ask…' : `Ask ${modelId}…`),
    attach: 'Attach text files',
    send: 'Send',
    stop: 'Stop',
    settings: 'Settings',
    temperature: (value: number) => `temperature ${value}`,
    maxTokens: (tokens: number) => `at most ${formatCount(tokens)} tokens`,
    schemaOn: 'schema on',
    costs: (cost: string) => `about ${cost}`,
    costMeans: (modelId: string | null, input: string, output: string) =>
      `${modelId === null ? '' : `${modelId}: `}${input} in and ${output} out per million tokens.`,
    costIs:
      'For all that is sent with this question and an answer of 500 words. What you paid stands below the answer.',
    unknownCost: 'unknown',
    forSimulated: 'Encrypted in this browser, for a simulated enclave.',
    forUnknown: 'Encrypted in this browser, for whatever runs in the enclave.',
    forEnclave: 'Encrypted in this browser, for the enclave alone.',
    onceProven: 'Sent, encrypted, once the enclave has proved itself.',
    attested: 'Not encrypted: this gateway, the provider’s servers and the enclave can read it.',
    relayed: 'Not private: this gateway and the model’s server can read it.',
  },

  away: {
    offline: 'You are offline: nothing is sent, and your text is kept.',
    unanswered: 'The gateway does not answer: nothing is sent, and your text is kept.',
  },

  obstacle: {
    opening: 'The conversation is still opening.',
    modelsComing: 'The list of models is still loading.',
    noList: 'The list of models could not be loaded.',
    noModels: 'This gateway has no chat models.',
    modelGone: 'The model of this conversation is no longer offered. Choose another one.',
    plainHttp:
      'This model is private, and this page came over plain HTTP: choose another model, or open the page over HTTPS.',
    alarm: 'Stopped: read the warning before anything more is sent.',
    credentialComing: 'Still looking up who pays.',
    signedOut: 'The wallet’s sign-in has ended, so nobody pays.',
    nobodyPays: 'Connect a wallet or add an API key to make calls.',
    unknownWorkload:
      'You have not pinned what runs in this enclave, so nothing is sent. Pin it under Privacy, or accept whatever runs there.',
    schemaPending: 'The schema is being checked.',
    schemaFaulty: 'The schema has errors. Fix them under Setup, or remove the schema.',
    noSchema: 'This model does not support schemas. Choose another one, or remove the schema under Setup.',
  },

  obstacleCures: { lock: 'Open Privacy', setup: 'Open Setup' },

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
    wireTitle: 'The bytes that were sent and received for this answer',
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
    announced: { whole: 'Answer', stopped: 'Stopped', length: 'Answer, cut off' },
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
    failed: 'signature does not hold',
    unchecked: {
      unanswered: 'signature not checked: no answer came',
      refused: 'signature not checked: the gateway could not fetch it',
      late: 'signature not checked: there was none when it was asked for again',
    },
    unavailable: 'not signed',
    checkAgain: 'Check again',
    checking: 'Checking…',
  },

  ending: {
    left: 'The page was left before the answer was complete.',
    nothingSent: 'Nothing was sent. Ask again for a complete answer.',
    charged: 'You pay for the question and for what had been written by then. Ask again for a complete answer.',
    signsNothing: 'This model does not sign its answers.',
    stoppedUnsigned: 'Stopped before its end: an enclave only signs complete answers.',
    brokenUnsigned: 'There is no signature, since the answer is not complete.',
    signedBy: (address: string) =>
      `Signed by ${address}, the attested key, over exactly the bytes that were sent and received here.`,
    otherKey: (signer: string, attested: string) =>
      `The answer is signed by another key (${signer}) than was attested before (${attested}). That key was attested after the answer.`,
    unsigned: 'There is no signature.',
    notAsked: (reason: string) => `${reason} This says nothing about whether the enclave signed the answer.`,
    askedLate: (reason: string) =>
      `${reason} Enclaves keep signatures for a limited time, so this does not say that the answer was never signed.`,
    signatureFails: 'The signature of an answer is not valid.',
    doNotRely: 'Do not rely on that answer: it is not, byte for byte, what the attested enclave said.',
    unreachable: 'Check that the gateway is running and that this device is online, then ask again.',
  },

  plainHttp: {
    title: 'Private chats need HTTPS, or this page opened on the gateway’s own machine.',
    why: 'This page came over plain HTTP. Anybody along the way could have changed the code that verifies and encrypts, so it does neither. Models outside an enclave work as usual.',
    here: 'On the gateway’s machine, open',
    tunnel: 'From this machine, open a tunnel to it, then that same address here:',
    operator: 'For everybody else, the operator puts the gateway behind HTTPS.',
    copy: 'Copy the command',
    command: 'Command',
  },
} as const;
