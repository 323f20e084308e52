import { defineMethods } from './rpc-method';

/**
 * `eth_` methods that need neither a node's keys nor a lasting connection, from the Ethereum execution APIs
 * (github.com/ethereum/execution-apis) and the documentation of the listed EVM chains.
 */
export const ETH_METHODS = defineMethods({
  kind: 'evm',
  family: 'eth',
  tier: 'standard',
  reads: [
    // Execution APIs
    'eth_blobBaseFee',
    'eth_blockNumber',
    'eth_call',
    'eth_capabilities',
    'eth_chainId',
    'eth_config',
    'eth_createAccessList',
    'eth_estimateGas',
    'eth_feeHistory',
    'eth_fillTransaction',
    'eth_gasPrice',
    'eth_getBalance',
    'eth_getBlockAccessList',
    'eth_getBlockByHash',
    'eth_getBlockByNumber',
    'eth_getBlockReceipts',
    'eth_getBlockTransactionCountByHash',
    'eth_getBlockTransactionCountByNumber',
    'eth_getCode',
    'eth_getLogs',
    'eth_getProof',
    'eth_getStorageAt',
    'eth_getStorageValues',
    'eth_getTransactionByBlockHashAndIndex',
    'eth_getTransactionByBlockNumberAndIndex',
    'eth_getTransactionByHash',
    'eth_getTransactionBySenderAndNonce',
    'eth_getTransactionCount',
    'eth_getTransactionReceipt',
    'eth_getUncleByBlockHashAndIndex',
    'eth_getUncleByBlockNumberAndIndex',
    'eth_getUncleCountByBlockHash',
    'eth_getUncleCountByBlockNumber',
    'eth_maxPriorityFeePerGas',
    'eth_protocolVersion',
    'eth_simulateV1',
    'eth_syncing',
    // Geth, Erigon, Nethermind, Reth
    'eth_callBundle',
    'eth_callMany',
    'eth_getAccount',
    'eth_getAccountInfo',
    'eth_getHeaderByHash',
    'eth_getHeaderByNumber',
    'eth_getRawTransactionByBlockHashAndIndex',
    'eth_getRawTransactionByBlockNumberAndIndex',
    'eth_getRawTransactionByHash',
    'eth_pendingTransactions',
    // Polygon
    'eth_getRootHash',
    'eth_getSignersAtHash',
    'eth_getTransactionReceiptsByBlock',
    // BNB Smart Chain
    'eth_getBlobSidecarByTxHash',
    'eth_getBlobSidecars',
    'eth_getFinalizedBlock',
    'eth_getFinalizedHeader',
    'eth_getTransactionDataAndReceipt',
    'eth_getTransactionReceiptsByBlockNumber',
    'eth_getTransactionsByBlockNumber',
    'eth_health',
    // Avalanche C-Chain
    'eth_baseFee',
    'eth_callDetailed',
    'eth_getAssetBalance',
    'eth_getBadBlocks',
    'eth_getChainConfig',
    'eth_suggestPriceOptions',
  ],
  sends: [
    'eth_cancelPrivateTransaction',
    'eth_sendPrivateRawTransaction',
    'eth_sendPrivateTransaction',
    'eth_sendRawTransaction',
    'eth_sendRawTransactionConditional',
    'eth_sendRawTransactionSync',
  ],
});

/** Methods about a node's network and client (EIP-1474). */
export const NET_METHODS = defineMethods({
  kind: 'evm',
  family: 'net',
  tier: 'standard',
  reads: ['net_listening', 'net_peerCount', 'net_version'],
});

/** Methods for the client version and Keccak-256 (EIP-1474). */
export const WEB3_METHODS = defineMethods({
  kind: 'evm',
  family: 'web3',
  tier: 'standard',
  reads: ['web3_clientVersion', 'web3_sha3'],
});

/**
 * Methods of ERC-4337 bundlers (ERC-7769), and the read methods that Pimlico and Rundler document for fees and user
 * operations. Leaves out `debug_bundler_` methods, which administer a bundler.
 */
export const ERC4337_METHODS = defineMethods({
  kind: 'evm',
  family: 'erc4337',
  tier: 'standard',
  reads: [
    'eth_estimateUserOperationGas',
    'eth_getUserOperationByHash',
    'eth_getUserOperationReceipt',
    'eth_supportedEntryPoints',
    'pimlico_getUserOperationGasPrice',
    'pimlico_getUserOperationStatus',
    'pimlico_simulateAssetChanges',
    'rundler_maxPriorityFeePerGas',
  ],
  sends: ['eth_sendUserOperation'],
});
