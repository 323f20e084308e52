import type { AttestationConclusion } from '@/lib/protocol/tee/verify-attestation';

export const chatPrivacyWords = {
  noModel: 'Choose a model to see what it proves.',
  unanswered: 'No attestation came, so nothing was verified and nothing will be sent.',
  verifyAgain: 'Verify again',
  verifying: 'Verifying…',
  export: 'Export',
  checking: 'Verifying the attestation',
  noCredentialTitle: 'Nothing has been verified yet.',
  noCredential:
    'An attestation is free, but the gateway gives it only to a signed-in wallet or an API key. Choose a payment method to verify the enclave.',
  noEnclaveTitle: (model: string) => `${model} does not run in an enclave, so there is nothing to verify.`,
  noEnclave:
    'This gateway and the model’s provider can read every word, and nothing proves which model answered. For confidential chats, choose a model marked “encrypted”.',

  measured: {
    since: (date: string) => `Measured since ${date}.`,
    changed: (registers: readonly string[], before: string) =>
      `Changed then: ${registers.join(', ')}. Measured before since ${before}.`,
    waiting: 'Measured since …',
    unlisted: 'Not in the gateway’s log of measurements.',
    broken: (reason: string) => `The gateway’s log of measurements is not valid. ${reason}`,
    unread: 'The gateway’s log of measurements could not be read, so nothing in it was checked.',
    changedSince: (model: string, date: string) => `The measurements of ${model} have changed since ${date}.`,
    fork: {
      title: 'The gateway shows two histories of what its enclaves measured.',
      meaning: (reason: string) =>
        `${reason} The operator began a new log, or the gateway hides what it measured. Ask the operator.`,
      kept: (date: string) => `Read on ${date}`,
      shown: 'Shown now',
      none: 'no entry',
      head: (seq: number, sha256: string, key: string) => `Entry ${seq}, SHA-256 ${sha256}, key ${key}`,
      trust: 'Trust the new log',
    },
  },

  meaning: {
    title: 'What “verified” means, check by check',
    lead: 'The processor of an enclave signs a report, the quote, about itself and what it runs. This page asks for a fresh one and checks it in your browser, without relying on anybody else. Nothing is sent unless every required check passes.',
  },

  verdicts: {
    verified: {
      word: 'Verified',
      sentence:
        'Genuine hardware runs a workload that you have pinned, from its firmware to its application. It holds the key that messages are encrypted to.',
    },
    'unknown-workload': {
      word: 'Genuine hardware, unknown workload',
      sentence: 'The hardware is genuine and holds the key. You have not pinned what runs on it: it could be anything.',
    },
    simulated: {
      word: 'Simulated',
      sentence:
        'The checks hold under a simulator’s root. No hardware is behind it, so it protects nothing and is never “verified”.',
    },
    failed: { word: 'Failed', sentence: 'A check failed. Nothing is sent to this model.' },
    'not-checkable': {
      word: 'Not checkable',
      sentence: 'The checks need data that is missing. Nothing is sent to this model.',
    },
  } satisfies Record<AttestationConclusion, { word: string; sentence: string }>,

  banner: {
    label: 'Verdict',
    workload: (name: string) => `Workload: ${name}`,
    verifiedHere: 'Checked here',
    whatItMeans: 'What “verified” means',
    summary: (passed: number, count: number, enclaves: number, notMade: number, time: string, took: string) =>
      `${passed} of ${count} checks${enclaves > 1 ? ` of ${enclaves} enclaves` : ''} passed${notMade > 0 ? `, ${notMade} not possible` : ''}, at ${time}, in ${took}`,
    serverSays: 'The server says',
    verified: (value: boolean | null) => `verified: ${value === null ? 'nothing' : String(value)}`,
    notBelieved: '(shown, but not relied on)',
    nonce: 'Nonce',
    copyNonce: 'Copy the nonce',
    key: 'Bound key',
    noKey: 'none to rely on',
    copyAddress: 'Copy the key',
    keyBefore: 'Key before',
    otherKey: 'A different key from before:',
    otherKeyMeans: 'the enclave was restarted, or another one answers in its place.',
    copyKeyBefore: 'Copy the address attested before',
    failures: 'What failed',
    failed: (title: string) => `Failed: ${title}.`,
    more: (count: number) => `and ${count} more, below`,
    takesUnknown: 'You have chosen to send to it all the same.',
    refusesUnknown: 'Nothing is sent to it unless you pin its workload below, or accept any workload.',
    refuse: 'Send to pinned workloads only',
    take: 'Send whatever runs there',
  },

  /** Titles of the check groups. `simulatedTitles` has some of these titles as keys. */
  groups: {
    hardware: 'Is it genuine hardware?',
    upToDate: 'Is it up to date and closed to its host?',
    answersMe: 'Does it answer me, with this key?',
    workload: 'What runs in it?',
  },
  simulatedTitles: {
    'Is it genuine hardware?': 'Does the simulated hardware vouch for it?',
    'The processor is certified under a trusted root':
      'The simulated processor is certified under the root of the simulator',
  } as Readonly<Record<string, string>>,
  checks: { passed: 'passed', failed: 'failed', 'not-checkable': 'not checked', notPinned: 'not pinned' },
  quote: { title: 'All fields of the quote', unreadable: 'The report has no Intel TDX quote that can be read.' },

  pins: {
    title: 'Pinned workloads',
    what: 'What may run in an enclave, by its measurements: firmware, boot (MRTD, RTMR0 to 2) and compose file together, since none of them says enough on its own. Pins are kept in this browser. A verdict of “verified” needs one: take the values from those who publish the workload, or build it yourself.',
    runsThere: '✓ runs there',
    pinCurrent: 'Pin what runs there now',
    firstUse:
      'All of it at once, of every enclave on the path, as shown above. This is trust on first use: you will be told when it changes, not whether it is good.',
    tooLittle: 'Too little to recognize a workload by.',
    missing: (what: string) => `Missing: ${what}.`,
    takeFromSource: 'Get the missing values where these came from, and pin them all together.',
    isWhatRuns: 'What it names is what runs there.',
    complete: 'Add what was measured now',
    completeOf: (name: string) => `Add what was measured now to ${name}`,
    unpin: (name: string) => `Unpin ${name}`,
    ownTitle: 'Pin measurements of your own',
    name: 'Name',
    nameHint: 'my model 1.2',
    insteadOfCompose: 'in place of the compose file',
    characters: (count: number) => `${count} hexadecimal characters`,
    pin: 'Pin them',
  },

  limits: {
    title: 'What this page cannot prove',
    itself:
      'That it is the page that was published: its code comes from the very server it checks. The same client also runs on its own, as a command.',
    workload: 'That a pinned workload does what it should. Pin only what you, or somebody you trust, have read.',
    model: 'That the quote is about this model: the report may say so, but the quote names no model.',
    hardware:
      'That nobody opened the machine: attacks such as TEE.fail extract keys with physical access. Nor where it stands (Proof of Cloud certifies some), nor that CPU and GPU are in one machine.',
    metadata:
      'That nobody learns when you write and how much: times, lengths, the model and a schema are not encrypted.',
    readAlong:
      'That nobody reads along: this model is attested, but messages are not encrypted to it. This gateway and the provider’s servers can read them.',
    command:
      'To check an export offline, with the command’s own copy of Intel’s root. A simulator’s root is taken from the export, and the verdict says so.',
    copyCommand: 'Copy the command',
  },
} as const;

export const chatHopWords = {
  title: 'Who could read it, hop by hop',
  list: 'The path of a prompt',
  operator: 'Run by',
  reads: 'Could read',
  proof: 'Proof',
  encrypted: 'encrypted',
  readable: 'in the clear',
  enclave: (role: 'model' | 'router' | 'gateway', name: string | null) =>
    `${role === 'model' ? 'The model’s enclave' : 'The router’s enclave'}${name === null ? '' : ` ${name}`}`,
  notUsed: 'not the one that would be used',
  neverUsed: 'never used',
  passed: (passed: number, count: number) => `${passed}/${count}`,

  changes: {
    title: 'What answers is not what was verified before.',
    meaning:
      'Each verdict is valid, but they differ. The model may have been updated, or another machine may have taken its place. Ask the operator of the model before you go on.',
    list: 'What changed',
    measurement: (enclave: string, name: string) => `${enclave} has another ${name}.`,
    key: (enclave: string, purpose: string) => `${enclave} has another key (${purpose}).`,
    hardware: (enclave: string) => `${enclave} runs on other hardware.`,
    enclave: 'The enclaves on the path are not the same as before.',
    before: 'Before',
    now: 'Now',
    nothing: 'none',
    seen: 'I have seen it',
    word: 'Changed',
    verdict: (word: string) => `Changed since; by itself ${word.toLowerCase()}`,
  },
} as const;
