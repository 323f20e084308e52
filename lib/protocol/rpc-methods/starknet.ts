import { defineMethods } from './rpc-method';

/**
 * Read, trace and write methods of the Starknet JSON-RPC specification (github.com/starkware-libs/starknet-specs),
 * versions 0.7 to 0.10. The proxy refuses the specification's WebSocket methods.
 */
export const STARKNET_METHODS = defineMethods({
  kind: 'starknet',
  family: 'starknet',
  tier: 'standard',
  reads: [
    'starknet_blockHashAndNumber',
    'starknet_blockNumber',
    'starknet_call',
    'starknet_chainId',
    'starknet_estimateFee',
    'starknet_estimateMessageFee',
    'starknet_getBlockTransactionCount',
    'starknet_getBlockWithReceipts',
    'starknet_getBlockWithTxHashes',
    'starknet_getBlockWithTxs',
    'starknet_getClass',
    'starknet_getClassAt',
    'starknet_getClassHashAt',
    'starknet_getCompiledCasm',
    'starknet_getEvents',
    'starknet_getMessagesStatus',
    'starknet_getNonce',
    'starknet_getStateUpdate',
    'starknet_getStorageAt',
    'starknet_getStorageProof',
    'starknet_getTransactionByBlockIdAndIndex',
    'starknet_getTransactionByHash',
    'starknet_getTransactionReceipt',
    'starknet_getTransactionStatus',
    'starknet_simulateTransactions',
    'starknet_specVersion',
    'starknet_syncing',
    'starknet_traceBlockTransactions',
    'starknet_traceTransaction',
  ],
  sends: ['starknet_addDeclareTransaction', 'starknet_addDeployAccountTransaction', 'starknet_addInvokeTransaction'],
});
