import { defineMethods, type RpcMethod } from './rpc-method';

/** The `trace_` module of OpenEthereum, as Erigon, Nethermind, Reth and Besu have it. */
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
 * The `debug_` methods that look at blocks, state and execution. Those that administer a node
 * (`debug_setHead`, profiling, garbage collection, logging, the raw database) or touch its files
 * (`debug_standardTraceBlockToFile`, `debug_traceBlockFromFile`) are not here, nor is
 * `debug_traceChain`, which is a subscription.
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

/**
 * What waits in a node's pool. Only `txpool_content` is Large, as the specification names it:
 * `txpool_contentFrom` returns the entries of one account.
 */
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

/** Traces of Arbitrum One's blocks before Nitro (below 22,207,815). */
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

/** The methods that make a node re-execute blocks or list its pool: Advanced, and a few Large (spec, RPC proxy rule 2). */
export const TRACING_METHODS: readonly RpcMethod[] = Object.freeze([
  ...TRACE_METHODS,
  ...DEBUG_METHODS,
  ...TXPOOL_METHODS,
  ...ARBTRACE_METHODS,
]);
