import { formatCount } from '@/lib/browser/text/amounts';

/** Texts of the RPC page's lazily loaded parts; `words.ts` has the other texts. */

export const rpcIdempotencyWords = {
  meaning: 'The same key and body within 24 hours get the same answer, uncharged.',
  none: 'none',
  remove: 'Remove the idempotency key',
  make: 'Make one',
  renew: 'New',
} as const;

export const rpcCodeWords = {
  needsRequest: (problem: string) => `The code appears here once the request is valid. ${problem}`,
} as const;

export const rpcContractWords = {
  open: 'Fill in from an ABI…',
  title: 'Call a contract function',
  description:
    'Paste the contract’s ABI, choose a function and fill in its arguments. The request is written into the editor; nothing is sent until you send it. The answer is decoded by the same ABI.',
  abi: 'ABI',
  abiHint: 'JSON, or one signature a line',
  abiPlaceholder: 'function balanceOf(address owner) view returns (uint256)\nfunction symbol() view returns (string)',
  presets: 'Start with a standard',
  address: 'Contract address',
  function: 'Function',
  chooseFunction: 'Choose a function…',
  reads: 'Reads',
  changes: 'Changes state (only simulated by eth_call)',
  noArguments: 'This function takes no arguments.',
  returns: (types: string) => `Returns ${types}.`,
  returnsNothing: 'Returns nothing.',
  argument: (index: number) => `argument ${index + 1}`,
  item: (index: number) => `item ${index + 1}`,
  value: (index: number) => `value ${index + 1}`,
  write: 'Write the request',
  chooseTrue: 'true',
  chooseFalse: 'false',
  choose: 'Choose…',
  listExample: (example: string) => `JSON, such as ${example}`,
  abiFaults: {
    'too-large': 'This is longer than 1 MB, more than an ABI can be. Paste the ABI alone, without the bytecode.',
    'not-json': 'This begins like JSON, but is not whole. Copy all of it, from the first bracket to the last.',
    'no-abi':
      'There is no ABI in this JSON. Paste the array of functions, or a build artifact that has one under “abi”.',
    'no-functions': 'This ABI has no function that can be called.',
  },
  badLine: (line: number, text: string) => `Line ${line} is not a signature that can be read: ${text}`,
  missing: 'Fill this in.',
  noFunction: 'Choose a function.',
  badAddress: 'This is not an address: it takes 0x and 40 digits from 0 to 9 and a to f.',
  badChecksum:
    'The capitals of this address do not fit its digits (EIP-55), so one of them is probably wrong. Copy it again.',
  badWhole: 'This is not a whole number. Write digits, 0x…, or 1e18 for one with zeros.',
  outOfRange: (type: string, least: string, most: string) =>
    `This does not fit ${type}, which goes from ${least} to ${most}.`,
  badBool: 'Write true or false.',
  badHex: 'Write bytes as 0x and two digits each.',
  wrongSize: (type: string, bytes: number, given: number) =>
    `${type} takes exactly ${bytes} ${bytes === 1 ? 'byte' : 'bytes'}; these are ${given}.`,
  badJson: (why: string) => `This is not JSON yet. ${why}`,
  needsList: 'Write a list in square brackets.',
  wrongLength: (length: number, given: number) => `This takes exactly ${length} items; these are ${given}.`,
  needsTuple: (names: string) => `Write an object with ${names}, or a list of these in their order.`,
  missingMember: (name: string) => `${name} is missing.`,
  inItem: (place: string, problem: string) => `${place}: ${problem}`,
  needsText: 'Put this value in double quotes.',
  unsupported: (type: string) => `Arguments of type ${type} cannot be written here.`,
  decodedBy: 'Decoded by the ABI',
  result: 'result',
  nothingReturned: 'The function returned nothing, as its ABI says.',
  emptyAnswer:
    'The answer is empty. Probably there is no contract at this address on this network, or it does not have this function.',
  otherShape: 'The answer does not fit what the ABI says this function returns. Is it the ABI of this contract?',
  revertedWith: (name: string) => `Reverted with ${name}`,
  copyValue: (name: string) => `Copy ${name}`,
  forgetAbi: 'Forget this ABI',
} as const;

export const rpcSavedWords = {
  empty:
    'Nothing saved yet. Give the request in the editor a name, and it stays in this browser, in a collection you choose.',
  emptyImport: 'A collection from somewhere else can be imported as a file.',
  saveTitle: 'Save the request in the editor',
  name: 'Name',
  namePlaceholder: 'Name, such as Treasury balance',
  collection: 'Collection',
  firstCollection: 'My requests',
  save: 'Save',
  saved: (name: string, collection: string) => `“${name}” is saved in ${collection}.`,
  nameMissing: 'Give the request a name.',
  tooLong: 'This request is longer than can be saved. Keep it in a file of your own.',
  notKept:
    'Not saved: this browser has no room left, or does not allow it. Export a collection, delete it here, and save again.',
  search: 'Search saved requests',
  searchPlaceholder: 'Search names, methods, networks…',
  nothingFound: 'No saved request has all of these words.',
  import: 'Import…',
  importFaults: {
    'too-large': 'This file is larger than 4 MB; no collection is.',
    'not-json': 'This file is not JSON. Choose one that was exported here.',
    'other-file': 'This file is not a collection that was exported here.',
    newer: 'This collection was exported by a newer version of the console. Reload the page, then import it again.',
    empty: 'There is no request in this file.',
  },
  unreadable: 'The browser could not read this file. Choose it again.',
  imported: (name: string, count: number) => `“${name}” was imported, with ${countOf(count)}.`,
  count: (count: number) => countOf(count),
  noRequests: 'No requests in it.',
  exportCollection: (name: string) => `Export ${name}`,
  renameCollection: (name: string) => `Rename ${name}`,
  deleteCollection: (name: string) => `Delete ${name}`,
  edit: (name: string) => `Rename or move ${name}`,
  delete: (name: string) => `Delete ${name}`,
  nameTaken: 'Another collection has this name.',
  done: 'Done',
  cancel: 'Cancel',
  deleted: (name: string) => `“${name}” was deleted.`,
  undo: 'Undo',
  restored: (name: string) => `“${name}” is back.`,
} as const;

function countOf(requests: number): string {
  return requests === 1 ? '1 request' : `${formatCount(requests)} requests`;
}

/** Texts of the line above an answer. The line explains the answer. */
export const rpcReadingWords = {
  nothing: 'Not found',
  equals: (hex: string, number: string) => `${hex} = ${number}`,
  block: (number: string) => `Block ${number}`,
  slot: (number: string) => `Slot ${number}`,
  transactions: (count: string) => `${count} ${count === '1' ? 'transaction' : 'transactions'}`,
  transactionsSent: (count: string) => `${count} ${count === '1' ? 'transaction' : 'transactions'} sent`,
  gas: (amount: string) => `${amount} gas`,
  logs: (count: string) => `${count} ${count === '1' ? 'log' : 'logs'}`,
  contract: (bytes: string) => `A contract of ${bytes} ${bytes === '1' ? 'byte' : 'bytes'}`,
  noContract: 'No contract at this address',
  succeeded: (block: string) => `Succeeded in block ${block}`,
  failed: (block: string) => `Failed in block ${block}`,
  inSync: 'In sync',
} as const;

export const rpcParameterWords = {
  byName: 'The parameters are given by name; edit them in the text.',
  optional: 'optional',
  notSent: 'not sent',
  /** Labels of transaction fields; the same as their JSON-RPC names. */
  members: { to: 'to', value: 'value' },
  blockNumber: 'number',
  numberOf: (name: string) => `Number of ${name}`,
  quantityExample: '62 or 0x3e',
  notANumber: 'not a number',
  unit: 'Unit',
  notAnAmount: (unit: string) => `An amount in ${unit}, such as 5.`,
  noNames: 'The gateway does not look up names. Paste the address.',
  badAddress: 'An address is 0x and 40 digits from 0 to 9 and a to f.',
  badChecksum: 'The capitals do not fit the digits (EIP-55). Copy the address again.',
  unfinished: (name: string, type: string) => `Not finished: ${name} takes ${type} in JSON.`,
  types: {
    address: 'an address',
    hash: 'a hash',
    quantity: 'a number as 0x…',
    block: 'a block number or a tag',
    data: 'bytes as 0x…',
    boolean: 'true or false',
    object: 'an object',
    array: 'an array',
    string: 'a text',
    number: 'a number',
  },
} as const;

export const rpcBatchWords = {
  list: 'Calls of the batch',
  remove: (place: number, method: string) => `Remove call ${place}, ${method}`,
  refused: 'refused',
  credits: (credits: number) => `${credits} credits`,
} as const;

export const rpcHistoryWords = {
  empty: 'No calls yet. What you send is listed here, in this browser only.',
  list: 'Past calls',
  kept: 'The last 50 requests; no keys, and no answers.',
  clear: 'Clear history',
  outcomes: { result: 'result', error: 'error', refused: 'refused', noAnswer: 'no answer' },
} as const;

export const rpcCompareWords = {
  away: 'The gateway does not answer. Nothing is sent until it does.',
  chooseFirst: 'Choose a network first; then add others to compare it with.',
  region: 'Comparison',
  empty: 'The answers of the networks appear here side by side, with what differs marked.',
  outdated: 'The request has changed since.',
  onlyDifferences: 'Only what differs',
  showMore: (all: string) => `Show more of ${all} fields`,
  sendTo: (count: number) => `Send to ${count} ${count === 1 ? 'network' : 'networks'}`,
  cancel: 'Cancel',
  addOne: 'Add a network to compare with.',
  inAll: 'in all, if every call succeeds',
  noIdempotencyKey: 'The Idempotency-Key is not sent with a comparison: one key serves one network.',
  list: 'Compared networks',
  chosen: 'chosen',
  remove: (network: string) => `Remove ${network}`,
  add: 'Add a network',
  addPlaceholder: 'Add a network…',
  atMost: (count: number) => `${count} at most`,
  sameMethods: 'Networks that speak the same methods',
  search: 'Search networks…',
  nothingFound: 'No other network of that name speaks these methods.',
  family: 'Its family',
  mainnets: 'Mainnets',
  testnets: 'Testnets',
  clear: 'Clear',
  askAlone: 'Ask this network alone',
  waiting: 'waiting',
  sending: 'sending…',
  noResult: 'no result',
  rpcError: 'JSON-RPC error',
  result: 'result',
  plot: 'Networks side by side',
  network: 'Network',
  value: 'Value',
  same: 'same',
  fieldsDiffer: (count: number) => `${formatCount(count)} ${count === 1 ? 'field' : 'fields'}`,
  otherValue: 'other than most:',
  time: 'Time',
  fastest: 'fastest',
  height: 'Height',
  credits: 'Credits',
  cost: 'Cost',
  differs: 'differs',
  absent: 'absent',
  progress: (done: number, all: number) => `${done} of ${all} have answered…`,
  failed: (failed: number, all: number) => `${failed} of ${all} did not answer.`,
  none: 'No network answered.',
  one: 'One network answered: there is nothing to compare it with.',
  equal: (count: number) => (count === 2 ? 'Both answers are equal.' : `All ${count} answers are equal.`),
  differ: (differing: number, fields: number) =>
    fields === 1
      ? 'The answers differ.'
      : `The answers differ in ${formatCount(differing)} of ${formatCount(fields)} fields.`,
} as const;

export const rpcQuoteWords = {
  sends: (methods: readonly string[]) =>
    `${methods.join(' and ')} ${methods.length > 1 ? 'submit' : 'submits'} something to a chain, so it goes to one network at a time. Compare a call that only reads.`,
  strangers: (methods: readonly string[], family: string, network: string) =>
    `${methods.join(', ')} ${methods.length > 1 ? 'are not methods' : 'is not a method'} of ${family} networks such as ${network}.`,
} as const;
