/** Method that the RPC proxy refuses, and why (spec, RPC proxy rule 3). */
export interface Refusal {
  /** Unvalidated name from the caller, of any length. */
  name: string;
  reason: 'websocket' | 'filter' | 'key-holding' | 'unsupported';
  replacement?: string;
}

const SUBSCRIPTIONS: readonly (readonly [name: string, poll: string])[] = [
  ['eth_subscribe', 'eth_getLogs'],
  ['accountSubscribe', 'getAccountInfo'],
  ['blockSubscribe', 'getBlock'],
  ['logsSubscribe', 'getSignaturesForAddress'],
  ['programSubscribe', 'getProgramAccounts'],
  ['rootSubscribe', 'getSlot'],
  ['signatureSubscribe', 'getSignatureStatuses'],
  ['slotSubscribe', 'getSlot'],
  ['slotsUpdatesSubscribe', 'getSlot'],
  ['voteSubscribe', 'getVoteAccounts'],
  ['starknet_subscribeEvents', 'starknet_getEvents'],
  ['starknet_subscribeNewHeads', 'starknet_getBlockWithTxHashes'],
  ['starknet_subscribeNewTransactionReceipts', 'starknet_getBlockWithReceipts'],
  ['starknet_subscribeNewTransactions', 'starknet_getBlockWithTxs'],
  ['starknet_subscribePendingTransactions', 'starknet_getBlockWithTxs'],
  ['starknet_subscribeTransactionStatus', 'starknet_getTransactionStatus'],
];

const UNSUBSCRIPTIONS = [
  'eth_unsubscribe',
  'accountUnsubscribe',
  'blockUnsubscribe',
  'logsUnsubscribe',
  'programUnsubscribe',
  'rootUnsubscribe',
  'signatureUnsubscribe',
  'slotUnsubscribe',
  'slotsUpdatesUnsubscribe',
  'voteUnsubscribe',
  'starknet_unsubscribe',
];

/** Filter methods. A filter exists only on the node that created it. */
const FILTERS = [
  'eth_getFilterChanges',
  'eth_getFilterLogs',
  'eth_newBlockFilter',
  'eth_newFilter',
  'eth_newFinalizedHeaderFilter',
  'eth_newPendingTransactionFilter',
  'eth_uninstallFilter',
];

/** Methods that make a node sign and send with its own keys. Callers use `eth_sendRawTransaction` instead. */
const KEY_HOLDING_SENDS = [
  'eth_resend',
  'eth_sendTransaction',
  'personal_sendTransaction',
  'personal_signAndSendTransaction',
];

/** Methods that use a node's keys or miner without sending a transaction. */
const KEY_HOLDING = [
  'eth_accounts',
  'eth_coinbase',
  'eth_decrypt',
  'eth_getEncryptionPublicKey',
  'eth_getWork',
  'eth_hashrate',
  'eth_mining',
  'eth_requestAccounts',
  'eth_sign',
  'eth_signTransaction',
  'eth_signTypedData',
  'eth_signTypedData_v1',
  'eth_signTypedData_v3',
  'eth_signTypedData_v4',
  'eth_submitHashrate',
  'eth_submitWork',
  'miner_changeTargetGasLimit',
  'miner_getHashrate',
  'miner_setEtherbase',
  'miner_setExtra',
  'miner_setGasLimit',
  'miner_setGasPrice',
  'miner_setRecommitInterval',
  'miner_start',
  'miner_stop',
  'personal_deriveAccount',
  'personal_ecRecover',
  'personal_importRawKey',
  'personal_initializeWallet',
  'personal_listAccounts',
  'personal_listWallets',
  'personal_lockAccount',
  'personal_newAccount',
  'personal_openWallet',
  'personal_sign',
  'personal_signTransaction',
  'personal_unlockAccount',
  'personal_unpair',
];

function refuse(reason: Refusal['reason'], name: string, replacement?: string): Refusal {
  return Object.freeze(replacement === undefined ? { name, reason } : { name, reason, replacement });
}

/** Methods that the proxy refuses with a specific reason. Any other unknown name is `unsupported`. */
export const REFUSALS: readonly Refusal[] = Object.freeze([
  ...SUBSCRIPTIONS.map(([name, poll]) => refuse('websocket', name, poll)),
  ...UNSUBSCRIPTIONS.map((name) => refuse('websocket', name)),
  ...FILTERS.map((name) => refuse('filter', name, 'eth_getLogs')),
  ...KEY_HOLDING_SENDS.map((name) => refuse('key-holding', name, 'eth_sendRawTransaction')),
  ...KEY_HOLDING.map((name) => refuse('key-holding', name)),
]);

/** Maximum length of a method name that is shown in full, in UTF-16 code units. Listed methods are far shorter. */
export const SHOWN_NAME_LENGTH = 80;

/** Maximum number of names in a refusal's text. A batch cannot have more names. */
const SHOWN_NAMES = 100;

/**
 * Describes each refused method with its reason and remedy (spec, RPC proxy rules 1 and 3). Methods with the
 * same reason share a sentence. A name longer than {@link SHOWN_NAME_LENGTH} is shortened, and its length is added.
 * Control and invisible characters become `\uXXXX`. Returns an empty string if there are no refusals.
 */
export function refusalSentence(refusals: readonly Refusal[]): string {
  const distinct = [...new Map(refusals.map((refusal) => [refusal.name, refusal])).values()];
  const shown = distinct.slice(0, SHOWN_NAMES);
  const sentences = CLASSES.flatMap(({ reason, sentence }) => {
    const members = shown.filter((refusal) => refusal.reason === reason);
    return members.length > 0 ? [sentence(members)] : [];
  });
  const hidden = distinct.length - shown.length;
  if (hidden > 0) sentences.push(`And ${hidden} more.`);
  return sentences.join(' ');
}

interface RefusalClass {
  reason: Refusal['reason'];
  sentence: (members: readonly Refusal[]) => string;
}

const CLASSES: readonly RefusalClass[] = [
  {
    reason: 'unsupported',
    sentence: (members) => `${plural(members, 'Method')} not supported: ${members.map(withSuggestion).join(', ')}.`,
  },
  {
    reason: 'websocket',
    sentence: (members) =>
      `${plural(members, 'WebSocket-only method')} not supported: ${namesOf(members)}. ` +
      `Subscriptions need a WebSocket, and this endpoint answers over HTTP${pollingAdvice(members)}.`,
  },
  {
    reason: 'filter',
    sentence: (members) =>
      `${plural(members, 'Stateful filter method')} not supported: ${namesOf(members)}. ` +
      'A filter exists on one node only, and calls go to several nodes. Use eth_getLogs with a block range instead.',
  },
  {
    reason: 'key-holding',
    sentence: (members) =>
      `${plural(members, 'Key-holding or miner method')} not supported: ${namesOf(members)}. ` +
      'The nodes hold no keys and do not mine. Sign locally and send with eth_sendRawTransaction.',
  },
];

function plural(members: readonly Refusal[], noun: string): string {
  return members.length === 1 ? noun : `${noun}s`;
}

function namesOf(members: readonly Refusal[]): string {
  return members.map((refusal) => visible(refusal.name)).join(', ');
}

function withSuggestion(refusal: Refusal): string {
  const name = visible(refusal.name);
  return refusal.replacement === undefined ? name : `${name} (did you mean ${refusal.replacement}?)`;
}

function pollingAdvice(members: readonly Refusal[]): string {
  const replacements = [...new Set(members.flatMap((refusal) => refusal.replacement ?? []))];
  return replacements.length === 0 ? '' : `; poll ${replacements.join(', ')} instead`;
}

const PLAIN_NAME = /^[\w.-]+$/;
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

function visible(name: string): string {
  const cut = name.slice(0, SHOWN_NAME_LENGTH);
  const shown = PLAIN_NAME.test(cut) ? cut : `"${cut.replace(/["\\]/g, '\\$&').replace(INVISIBLE, escaped)}"`;
  return cut.length === name.length ? shown : `${shown}… (${name.length} characters)`;
}

function escaped(characters: string): string {
  return Array.from(
    { length: characters.length },
    (_, index) => `\\u${characters.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}
