/** Method that the RPC proxy refuses, and why (spec, RPC proxy rule 3). */
export interface Refusal {
  /** Name as the caller sent it, of any length and with any characters. */
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

/** Methods whose state exists only on the node that created it. */
const FILTERS = [
  'eth_getFilterChanges',
  'eth_getFilterLogs',
  'eth_newBlockFilter',
  'eth_newFilter',
  'eth_newFinalizedHeaderFilter',
  'eth_newPendingTransactionFilter',
  'eth_uninstallFilter',
];

/** Methods that sign and send with a node's keys. Callers use `eth_sendRawTransaction` instead. */
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

/** Methods that the proxy refuses with a specific reason. All other unknown names are `unsupported`. */
export const REFUSALS: readonly Refusal[] = Object.freeze([
  ...SUBSCRIPTIONS.map(([name, poll]) => refuse('websocket', name, poll)),
  ...UNSUBSCRIPTIONS.map((name) => refuse('websocket', name)),
  ...FILTERS.map((name) => refuse('filter', name, 'eth_getLogs')),
  ...KEY_HOLDING_SENDS.map((name) => refuse('key-holding', name, 'eth_sendRawTransaction')),
  ...KEY_HOLDING.map((name) => refuse('key-holding', name)),
]);
