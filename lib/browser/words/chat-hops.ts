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
      'Each verdict holds by itself, but they differ. An update by whoever runs the model looks like this, and so does another machine in its place. Ask them which it was before you go on.',
    list: 'What changed',
    measurement: (enclave: string, name: string) => `${enclave} measures another ${name}.`,
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
