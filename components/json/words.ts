import { formatCount } from '@/lib/browser/text/amounts';

export const rpcDecodingWords = {
  decode: (name: string | null) => (name === null ? 'Decode the value' : `Decode ${name}`),
  copy: (kind: string) => `Copy: ${kind}`,
  bytes: (count: string) => (count === '1' ? '1 byte' : `${count} bytes`),
  wei: (count: string) => `${count} wei`,
  kinds: {
    revert: 'Reverted with',
    panic: 'Panic',
    text: 'Text',
    decimal: 'Decimal',
    signed: 'Signed',
    native: 'Amount',
    gwei: 'In gwei',
    time: 'Your time',
    address: 'Address',
    call: 'Call',
    size: 'Size',
  },
} as const;

export const rpcAnswerWords = {
  replayedTitle: 'Served again from the idempotency cache, uncharged.',
  replayed: 'The same key and body within 24 hours get the stored answer; the node was not asked.',
  notKeptTitle: 'Charged and shown, but not kept under its Idempotency-Key.',
  notKept:
    'The answer is too large to be kept, or there is no room for it. Copy it if you need it: for 24 hours the same call under this key is refused, uncharged, with IDEMPOTENT_ANSWER_NOT_KEPT. To make the call again, at its price, send it under a new key.',
  tooLarge: (size: string) =>
    `This answer has ${size}, too much for a tree. The raw view shows its beginning, and copying takes all of it.`,
  nodeAnswered: (method: string) => `The node answered ${method} with JSON-RPC error`,
  gatewayAnswered: (method: string) => `The gateway answered ${method} itself with JSON-RPC error`,
  noPrice: 'No node was asked, and it was not charged.',
  errorPrice: (credits: number) => `Such a call costs ${credits} credits instead of its price.`,
  batchErrors: (failed: number, all: number) => `${failed} of ${all} calls ended in a JSON-RPC error.`,
  batchPrice: (credits: number) =>
    `Each of them costs ${credits} credits instead of its price; the others are not affected.`,
  batchList: 'Errors of the batch',
  advice: {
    parameters: 'Check the parameters.',
    method: 'The nodes of this network do not know the method; try another network.',
    revert: 'The contract reverted; its reason is in the data.',
    state: 'Check the parameters against the state of the chain.',
  },
  copyValue: (name: string | null) => (name === null ? 'Copy the value' : `Copy ${name}`),
  showMore: (all: string) => `Show more of ${all}`,
  allCharacters: (count: string) => `all ${count} characters`,
  size: (kind: 'object' | 'array', size: number) =>
    `${formatCount(size)} ${kind === 'object' ? 'field' : 'item'}${size === 1 ? '' : 's'}`,
} as const;
