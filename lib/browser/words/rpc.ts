/**
 * What a person reads on the RPC page before anything is loaded on demand; `rpc-tools.ts` has the parts that come with
 * their first use. Functions take what is put into their sentence.
 */
export const rpcWords = {
  title: 'RPC',
  splitter: 'Width of the request',

  request: {
    region: 'Request',
    views: 'View of the request',
    tabs: { request: 'Request', code: 'Code', history: 'History', saved: 'Saved' },
    format: 'Format the request',
    copyLink: 'Copy link',
    tooLongForLink: 'Too long for a link. Save it in a collection instead, and export that as a file.',
    editor: 'JSON-RPC request',
    firstMethod: 'The number of the newest block',
    codeNeedsRequest: (problem: string) => `The code appears here once the request is valid.${problem === '' ? '' : ` ${problem}`}`,
  },

  /** Another request came to stand where the person's own was. */
  replaced: {
    title: 'Another request has taken the place of yours.',
    text: 'It has not been sent. Read it before you send it.',
    back: 'Back to mine',
    leave: 'Leave it',
  },

  longLink: {
    title: 'This link is too long to open.',
    text: (most: string) => `It holds more than ${most}. Nothing was taken from it, and nothing was sent. Ask whoever sent it to you to export the request as a file, and import that under Saved.`,
  },

  /** What keeps a request from being sent. Those without a subject end a sentence that begins with the request, or the call. */
  problems: {
    empty: 'The request is empty. Pick a method, or type a JSON-RPC request.',
    notJson: (why: string) => `This is not JSON yet. ${why}`,
    emptyBatch: 'The batch is empty. Add at least one call.',
    longBatch: (calls: number, most: number) => `The batch holds ${calls} calls; at most ${most} fit in one.`,
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
    notSent: (problem: string) => `Not sent. ${problem}`,
    valid: (network: string | null) => `Valid JSON-RPC for ${network ?? 'the network'}.`,
    unserved: (network: string, variable: string) => `This gateway has no node for ${network}, so nothing can be sent there. Choose another network, or ask its operator to connect one with ${variable}.`,
    badIdempotencyKey: 'The Idempotency-Key takes 1 to 255 letters, digits, "_" or "-".',
    notListed: (network: string) => `${network} is not a network of this gateway. Choose another in the picker.`,
  },

  idempotency: {
    label: 'Idempotency-Key',
    meaning: 'The same key and body within 24 hours are answered from the cache, uncharged.',
    none: 'none',
    remove: 'Remove the idempotency key',
    make: 'Make one',
    renew: 'New',
    problem: 'Use 1 to 255 letters, digits, "_" or "-".',
  },

  network: {
    label: 'Network',
    search: 'Search networks…',
    nothingFound: 'This gateway lists no network of that name.',
    mainnet: 'mainnet',
    testnet: 'testnet',
    groups: { sandbox: 'Sandbox', mainnets: 'Mainnets', testnets: 'Testnets' },
    chain: (id: number) => `chain ${id}`,
    credits: (credits: number) => `${credits} credits`,
  },

  health: {
    label: 'Network health',
    labelled: (word: string) => `Network health: ${word}`,
    notListed: 'not listed',
    notKnown: 'not known',
    notListedHere: (network: string) => `This gateway does not list a network named ${network}. Choose another in the picker.`,
  },

  method: {
    label: 'Method',
    add: 'Add a call',
    addPlaceholder: 'Add a call…',
    pick: 'Pick a method',
    search: 'Search methods, such as eth_call or logs…',
    searchSolana: 'Search methods, such as balance…',
    nothingFound: 'No such method is offered on this network.',
    mostUsed: 'Most used',
    credits: (credits: number) => `${credits} credits`,
    families: {
      eth: 'Ethereum',
      net: 'Node',
      web3: 'Node',
      erc4337: 'Account abstraction (ERC-4337)',
      trace: 'Traces',
      debug: 'Debug',
      txpool: 'Transaction pool',
      arbtrace: 'Arbitrum traces',
      zks: 'zkSync',
      linea: 'Linea',
      bor: 'Polygon',
      solana: 'Solana',
      starknet: 'Starknet',
    } as Readonly<Record<string, string>>,
    tiers: { advanced: 'advanced ×2', large: 'large ×4' },
  },

  send: {
    batch: 'Batch',
    send: 'Send',
    noPrice: 'no price yet',
    refused: 'will be refused, uncharged',
    unserved: 'no node for it here',
    priceMeaning: 'If every call succeeds. A call that ends in a JSON-RPC error costs 5 credits instead.',
  },

  answer: {
    region: 'Answer',
    views: 'View of the answer',
    tabs: { tree: 'Answer', raw: 'Raw', compare: 'Compare' },
    ofEarlierCall: 'of the earlier call',
    cancel: 'Cancel',
    copy: 'Copy the answer',
    sending: 'sending…',
    noResult: 'no result',
    replayed: 'replayed',
    notKept: 'not kept',
    result: 'result',
    results: (count: number) => `${count} results`,
    rpcError: 'JSON-RPC error',
    someFailed: (failed: number, all: number) => `${failed} of ${all} failed`,
    empty: 'The answer appears here, with its time, credits and cost.',
    waiting: 'Waiting for the answer',
    cancelMeaning: 'Cancelling does not undo what the node may have done already.',
    waitingSince: 'Waiting for',
    cut: (shown: string, all: string) => `The first ${shown} of ${all}. Copying takes all of it.`,
    press: 'Press',
    toSend: 'to send.',
    facts: { time: 'Time', credits: 'Credits', cost: 'Cost', requestId: 'Request ID', copyRequestId: 'Copy the request ID' },
  },
} as const;
