import { defineMethods, type RpcMethod } from './rpc-method';

/** `trace_` methods of OpenEthereum. Erigon, Nethermind, Reth and Besu also offer them. */
const TRACE_METHODS = defineMethods({
  kind: 'evm',
  family: 'trace',
  tier: 'advanced',
  reads: [
    'trace_block',
    'trace_blockOpcodeGas',
    'trace_call',
    'trace_callMany',
    'trace_filter',
    'trace_get',
    'trace_rawTransaction',
    'trace_transaction',
    'trace_transactionOpcodeGas',
  ],
  large: ['trace_replayBlockTransactions', 'trace_replayTransaction'],
});

/**
 * `debug_` methods that read blocks, state and execution. Leaves out methods that administer a node, such as
 * `debug_setHead`, and methods that use its files, such as `debug_traceBlockFromFile`. Leaves out `debug_traceChain`,
 * which is a subscription.
 */
const DEBUG_METHODS = defineMethods({
  kind: 'evm',
  family: 'debug',
  tier: 'advanced',
  reads: [
    'debug_accountAt',
    'debug_accountRange',
    'debug_chainConfig',
    'debug_codeByHash',
    'debug_dumpBlock',
    'debug_executionWitness',
    'debug_executionWitnessByBlockHash',
    'debug_getAccessibleState',
    'debug_getBadBlocks',
    'debug_getBlockRlp',
    'debug_getBlockRlpByHash',
    'debug_getChainLevel',
    'debug_getModifiedAccountsByHash',
    'debug_getModifiedAccountsByNumber',
    'debug_getRawBlock',
    'debug_getRawHeader',
    'debug_getRawReceipts',
    'debug_getRawTransaction',
    'debug_getRawTransactions',
    'debug_getTrieFlushInterval',
    'debug_intermediateRoots',
    'debug_preimage',
    'debug_printBlock',
    'debug_seedHash',
    'debug_storageRangeAt',
    'debug_traceBadBlock',
    'debug_traceBlock',
    'debug_traceBlockByHash',
    'debug_traceBlockByNumber',
    'debug_traceCall',
    'debug_traceCallMany',
    'debug_traceTransaction',
    'debug_traceTransactionByBlockAndIndex',
    'debug_traceTransactionByBlockhashAndIndex',
  ],
});

/** Transaction pool methods. Only `txpool_content` is Large, as specified. */
const TXPOOL_METHODS = defineMethods({
  kind: 'evm',
  family: 'txpool',
  tier: 'advanced',
  reads: [
    'txpool_besuPendingTransactions',
    'txpool_besuStatistics',
    'txpool_besuTransactions',
    'txpool_contentFrom',
    'txpool_inspect',
    'txpool_status',
  ],
  large: ['txpool_content'],
});

/** Methods that trace Arbitrum One's blocks before Nitro (below 22,207,815). */
const ARBTRACE_METHODS = defineMethods({
  kind: 'evm',
  family: 'arbtrace',
  tier: 'advanced',
  reads: [
    'arbtrace_block',
    'arbtrace_call',
    'arbtrace_callMany',
    'arbtrace_filter',
    'arbtrace_get',
    'arbtrace_transaction',
  ],
  large: ['arbtrace_replayBlockTransactions', 'arbtrace_replayTransaction'],
});

/**
 * Methods that re-execute blocks or list the transaction pool. Most are Advanced, a few Large (spec, RPC proxy rule 2).
 */
export const TRACING_METHODS: readonly RpcMethod[] = Object.freeze([
  ...TRACE_METHODS,
  ...DEBUG_METHODS,
  ...TXPOOL_METHODS,
  ...ARBTRACE_METHODS,
]);
