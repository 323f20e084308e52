import { formatCount } from '@/lib/browser/text/amounts';

export const chatWords = {
  page: { title: 'Chat', views: 'View', conversation: 'Conversation' },
  views: { talk: 'Chat', lock: 'Privacy', setup: 'Setup', code: 'Code', kept: 'History' },
  drawer: { tabs: 'Beside the conversation', loading: 'Loading', close: 'Close' },

  bar: { begin: 'New conversation', beginShort: 'New' },

  beside: {
    add: 'Compare with a second model',
    addShort: 'Compare',
    group: 'Second model',
    model: 'Second model',
    remove: 'Stop comparing',
    privacy: 'Privacy of',
  },

  model: {
    label: 'Model',
    none: 'No model',
    encrypted: 'encrypted',
    encryptedTitle: 'Encrypted in this browser, to an enclave',
    attested: 'attested',
    attestedTitle: 'In an enclave; this gateway can read your messages',
    relayed: 'relayed',
    relayedTitle: 'Not in an enclave; this gateway can read your messages',
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
    announced: { whole: 'Answer', stopped: 'Stopped', length: 'Answer, cut off' },
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
    standIn: 'In this sandbox a stand-in answers: it only quotes this gateway’s documentation.',
    path: {
      label: 'Way of a question',
      you: 'You',
      gateway: 'Gateway',
      provider: 'Provider',
      enclave: 'Enclave',
      server: 'Model server',
      encrypted: 'encrypted',
      readable: 'can read it',
    },
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
    askBoth: 'Ask both models…',
    attach: 'Attach text files',
    attachAny: 'Attach pictures or text files',
    blind: (modelId: string, insteadId: string | null) =>
      `${modelId} does not see pictures. Remove them${insteadId === null ? '' : `, or choose ${insteadId}`}.`,
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
      'For everything sent with this question, and an answer of 500 words. The actual cost appears below the answer.',
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
    credentialComing: 'Still looking up the payment method.',
    signedOut: 'The wallet’s sign-in has ended, so nobody pays.',
    nobodyPays: 'Connect a wallet or add an API key to make calls.',
    unknownWorkload:
      'You have not pinned what runs in this enclave, so nothing is sent. Pin it under Privacy, or accept whatever runs there.',
    schemaPending: 'The schema is being checked.',
    schemaFaulty: 'The schema has errors. Fix them under Setup, or remove the schema.',
    noSchema: 'This model does not support schemas. Choose another one, or remove the schema under Setup.',
  },

  obstacleCures: { lock: 'Open Privacy', setup: 'Open Setup' },

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
      `The key ${signer} signed the answer, but the attested key was ${attested}. The new key was attested only after the answer.`,
    unsigned: 'There is no signature.',
    notAsked: (reason: string) => `${reason} This says nothing about whether the enclave signed the answer.`,
    askedLate: (reason: string) =>
      `${reason} Enclaves keep signatures for a limited time, so this does not say that the answer was never signed.`,
    signatureFails: 'The signature of an answer is not valid.',
    doNotRely: 'Do not rely on that answer: it is not, byte for byte, what the attested enclave said.',
    unreachable: 'Check that the gateway is running and that this device is online, then ask again.',
  },
} as const;

/** Messages for faults in a schema or an answer. */
export const schemaFaultWords = {
  notAnObject: 'A schema is a JSON object.',
  notJson: 'The answer is not valid JSON.',
  notChecked: (why: string) => `Not checked here: ${why}`,
} as const;

export const pinFaultWords = {
  nameMissing: 'Give it a name.',
  lacks: (missing: string) => `A workload is known by all of these together. Missing: ${missing}.`,
  wrongLength: (label: string, length: number) => `${label} takes ${length} hexadecimal characters.`,
} as const;
