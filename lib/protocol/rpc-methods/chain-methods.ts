import { defineMethods, type RpcMethod } from './rpc-method';

/** Methods of zkSync Era and ZKsync OS chains (docs.zksync.io, ZKsync JSON-RPC API). */
const ZKS_METHODS = defineMethods({
  kind: 'evm',
  family: 'zks',
  tier: 'standard',
  reads: [
    'zks_L1BatchNumber',
    'zks_L1ChainId',
    'zks_estimateFee',
    'zks_estimateGasL1ToL2',
    'zks_gasPerPubdata',
    'zks_getAllAccountBalances',
    'zks_getBaseTokenL1Address',
    'zks_getBatchFeeInput',
    'zks_getBlockDetails',
    'zks_getBlockMetadataByNumber',
    'zks_getBridgeContracts',
    'zks_getBridgehubContract',
    'zks_getBytecodeByHash',
    'zks_getBytecodeSupplierContract',
    'zks_getConfirmedTokens',
    'zks_getFeeParams',
    'zks_getGenesis',
    'zks_getL1BatchBlockRange',
    'zks_getL1BatchDetails',
    'zks_getL1GasPrice',
    'zks_getL2Multicall3',
    'zks_getL2ToL1LogProof',
    'zks_getL2ToL1MsgProof',
    'zks_getMainContract',
    'zks_getProof',
    'zks_getProtocolVersion',
    'zks_getRawBlockTransactions',
    'zks_getTestnetPaymaster',
    'zks_getTimestampAsserter',
    'zks_getTransactionDetails',
  ],
  sends: ['zks_sendRawTransactionWithDetailedOutput'],
});

/** Methods of Linea (docs.linea.build, and the public methods of its node's plugins). */
const LINEA_METHODS = defineMethods({
  kind: 'evm',
  family: 'linea',
  tier: 'standard',
  reads: [
    'linea_estimateGas',
    'linea_getForcedTransactionInclusionStatus',
    'linea_getProof',
    'linea_getTransactionExclusionStatusV1',
  ],
  sends: ['linea_cancelBundle', 'linea_sendBundle', 'linea_sendForcedRawTransaction'],
});

/** Methods of Polygon PoS (`bor` name space of the Bor and Erigon clients). */
const BOR_METHODS = defineMethods({
  kind: 'evm',
  family: 'bor',
  tier: 'standard',
  reads: [
    'bor_getAuthor',
    'bor_getCurrentProposer',
    'bor_getCurrentValidators',
    'bor_getRootHash',
    'bor_getSigners',
    'bor_getSignersAtHash',
    'bor_getSnapshot',
    'bor_getSnapshotAtHash',
    'bor_getSnapshotProposer',
    'bor_getSnapshotProposerSequence',
    'bor_getVoteOnHash',
  ],
  sends: ['bor_sendRawTransactionConditional'],
});

/** Methods of BNB Smart Chain's consensus (docs.bnbchain.org, BSC API list). */
const PARLIA_METHODS = defineMethods({
  kind: 'evm',
  family: 'parlia',
  tier: 'standard',
  reads: [
    'parlia_getFinalizedNumber',
    'parlia_getJustifiedNumber',
    'parlia_getSnapshot',
    'parlia_getSnapshotAtHash',
    'parlia_getTurnLength',
    'parlia_getValidators',
    'parlia_getValidatorsAtHash',
  ],
});

/** Methods of OP Stack rollups: the read methods of op-node that providers also serve. */
const OPTIMISM_METHODS = defineMethods({
  kind: 'evm',
  family: 'optimism',
  tier: 'standard',
  reads: [
    'optimism_outputAtBlock',
    'optimism_rollupConfig',
    'optimism_safeHeadAtL1Block',
    'optimism_syncStatus',
    'optimism_version',
  ],
});

/** Methods of Base (docs.base.org, Flashblocks API). */
const BASE_METHODS = defineMethods({
  kind: 'evm',
  family: 'base',
  tier: 'standard',
  reads: ['base_transactionStatus'],
});

const ARB_METHODS = defineMethods({
  kind: 'evm',
  family: 'arb',
  tier: 'standard',
  reads: ['arb_getRawBlockMetadata'],
  sends: ['timeboost_sendExpressLaneTransaction'],
});

/** Methods of the Erigon client, which serves several listed chains. */
const ERIGON_METHODS = defineMethods({
  kind: 'evm',
  family: 'erigon',
  tier: 'standard',
  reads: [
    'erigon_blockNumber',
    'erigon_forks',
    'erigon_getBalanceChangesInBlock',
    'erigon_getBlockByTimestamp',
    'erigon_getBlockReceiptsByBlockHash',
    'erigon_getHeaderByHash',
    'erigon_getHeaderByNumber',
    'erigon_getLatestLogs',
    'erigon_getLogs',
    'erigon_getLogsByHash',
    'erigon_issuance',
  ],
});

/** Methods that only some EVM chains or clients have. An upstream that lacks a method returns its own error. */
export const CHAIN_METHODS: readonly RpcMethod[] = Object.freeze([
  ...ZKS_METHODS,
  ...LINEA_METHODS,
  ...BOR_METHODS,
  ...PARLIA_METHODS,
  ...OPTIMISM_METHODS,
  ...BASE_METHODS,
  ...ARB_METHODS,
  ...ERIGON_METHODS,
]);
