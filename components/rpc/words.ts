export const rpcWords = {
  title: 'RPC',
  splitter: 'Width of the request',

  request: {
    region: 'Request',
    views: 'View of the request',
    tabs: { request: 'Request', code: 'Code', history: 'History', saved: 'Saved' },
    format: 'Format the request',
    copyLink: 'Copy link',
    tooLongForLink: 'Too long for a link. Save it and export a file.',
    editor: 'JSON-RPC request',
    firstMethod: 'The number of the newest block',
  },

  /**
   * Reasons why the page cannot send a request. A reason without a subject completes a sentence about the request or a
   * call.
   */
  problems: {
    empty: 'The request is empty. Pick a method, or type a request.',
    notJson: (why: string) => `This is not JSON yet. ${why}`,
    emptyBatch: 'The batch is empty. Add at least one call.',
    longBatch: (calls: number, most: number) => `The batch has ${calls} calls; at most ${most} fit in one.`,
    ofRequest: (problem: string) => `The request ${problem}`,
    ofCall: (place: number, problem: string) => `Call ${place} of the batch ${problem}`,
    needsObject: 'must be an object like {"method": "eth_blockNumber"}.',
    noMethod: 'has no "method".',
    badMethod: 'needs a "method" that is a name in quotes.',
    badParams: 'needs "params" to be an array.',
    badVersion: 'needs "jsonrpc" to be "2.0", or none at all.',
    badId: 'needs an "id" that is a whole number or a text.',
  },

  status: {
    valid: (network: string | null) => `Valid JSON-RPC for ${network ?? 'the network'}.`,
    unserved: (network: string) => `This gateway has no node for ${network}, so nothing can be sent there.`,
    offline: 'You are offline: nothing is sent, and your request is kept.',
    badIdempotencyKey: 'The Idempotency-Key takes 1 to 255 letters, digits, "_" or "-".',
    notListed: (network: string) => `${network} is not a network of this gateway. Choose another.`,
  },

  idempotency: {
    options: 'Options',
    label: 'Idempotency-Key',
  },

  network: {
    label: 'Network',
    mainnet: 'mainnet',
    testnet: 'testnet',
  },

  health: {
    label: 'Network health',
    labelled: (word: string) => `Network health: ${word}`,
    notListed: 'not listed',
  },

  method: {
    label: 'Method',
    add: 'Add a call',
    addPlaceholder: 'Add a call…',
    pick: 'Pick a method',
  },

  send: {
    batch: 'Batch',
    send: 'Send',
    noPrice: 'no price yet',
    refused: 'will be refused, uncharged',
    unserved: 'no node for it here',
    priceMeaning: 'A JSON-RPC error costs 5 credits instead.',
  },

  answer: {
    region: 'Answer',
    views: 'View of the answer',
    tabs: { tree: 'Answer', raw: 'Raw', compare: 'Compare' },
    cancel: 'Cancel',
    copy: 'Copy the answer',
    empty: 'The answer appears here, with its time, credits and cost.',
    press: 'Press',
    toSend: 'to send.',
    facts: {
      time: 'Time',
      credits: 'Credits',
      cost: 'Cost',
      requestId: 'Request ID',
      copyRequestId: 'Copy the request ID',
      openRequest: 'Open on Usage',
    },
  },
} as const;
