import { type MethodExample, optional, required } from './method-example';

/** First account of the common development mnemonic, funded on sandbox chains. */
const ACCOUNT = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
/** Multicall3, which has this address on almost every EVM chain. */
const CONTRACT = '0xcA11bde05977b3631167028862bE2a173976CA11';
/** Function selector of Multicall3's `getBlockNumber()`. */
const GET_BLOCK_NUMBER = '0x42cbb15c';
const BLOCK_HASH = '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3';
const TRANSACTION_HASH = '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b60060';
const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** Pre-EIP-155 transaction that deploys the deterministic deployment proxy. No one knows the sender's key. */
const RAW_TRANSACTION =
  '0xf8a58085174876e800830186a08080b853604580600e600039806000f350fe7fffffffffffffffffffffffffffffff' +
  'ffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b808252505050' +
  '6014600cf31ba02222222222222222222222222222222222222222222222222222222222222222a0222222222222222' +
  '2222222222222222222222222222222222222222222222222';

const account = required('address', 'address', ACCOUNT, 'The account, 20 bytes');
const block = required(
  'block',
  'block',
  'latest',
  'A block number in hex, or latest, safe, finalized, earliest, pending',
);
const optionalBlock = optional('block', 'block', 'latest', block.description);
const blockHash = required('blockHash', 'hash', BLOCK_HASH, 'The hash of the block, 32 bytes');
const transactionHash = required('transactionHash', 'hash', TRANSACTION_HASH, 'The hash of the transaction, 32 bytes');
const index = required('index', 'quantity', '0x0', 'The position in the block, in hex');
const fullTransactions = required('fullTransactions', 'boolean', false, 'Whole transactions instead of their hashes');
const call = required(
  'transaction',
  'object',
  { to: CONTRACT, data: GET_BLOCK_NUMBER },
  'What to call: to, data, and if need be from, value, gas',
);
const traceTypes = required('traceTypes', 'array', ['trace'], 'Any of trace, vmTrace, stateDiff');
const tracer = optional('options', 'object', { tracer: 'callTracer' }, 'The tracer and its settings');
const signedTransaction = required('signedTransaction', 'data', RAW_TRANSACTION, 'The signed transaction, serialized');

const overrides = optional('stateOverrides', 'object', {}, 'Balances, code and storage to assume, by address');

function example(description: string, ...params: MethodExample['params']): MethodExample {
  return { description, params };
}

export const ETH_EXAMPLES: Readonly<Record<string, MethodExample>> = {
  eth_call: example('Run a contract function without a transaction', call, block, overrides),
  eth_blockNumber: example('The number of the newest block'),
  eth_getBalance: example('The balance of an account, in wei', account, block),
  eth_getBlockByNumber: example('A block by its number', block, fullTransactions),
  eth_getTransactionReceipt: example('The receipt of a mined transaction', transactionHash),
  eth_chainId: example('The EIP-155 chain id'),
  eth_getLogs: example(
    'Event logs that match a filter',
    required(
      'filter',
      'object',
      { fromBlock: 'latest', toBlock: 'latest', topics: [TRANSFER_TOPIC] },
      'fromBlock and toBlock, or blockHash; address; topics',
    ),
  ),
  eth_estimateGas: example('How much gas a transaction would use', call, optionalBlock, overrides),
  eth_gasPrice: example('The gas price that a node suggests, in wei'),
  eth_sendRawTransaction: example('Submit a signed transaction', signedTransaction),
  eth_getTransactionCount: example('How many transactions an account has sent: its next nonce', account, block),
  eth_getTransactionByHash: example('A transaction by its hash', transactionHash),
  eth_getCode: example('The bytecode of a contract', { ...account, example: CONTRACT }, block),
  eth_getBlockByHash: example('A block by its hash', blockHash, fullTransactions),
  eth_feeHistory: example(
    'Base fees and priority fees of past blocks',
    required('blockCount', 'quantity', '0x5', 'How many blocks, in hex, at most 1024'),
    { ...block, name: 'newestBlock' },
    required('rewardPercentiles', 'array', [25, 50, 75], 'The percentiles of priority fees to report'),
  ),
  eth_maxPriorityFeePerGas: example('The priority fee that a node suggests, in wei'),
  eth_getStorageAt: example(
    'One storage slot of a contract',
    { ...account, example: CONTRACT },
    required('slot', 'quantity', '0x0', 'The position in storage, in hex'),
    block,
  ),
  eth_getBlockReceipts: example('All receipts of a block', block),
  net_version: example('The network id, in decimal'),
  eth_createAccessList: example('The addresses and slots that a transaction would touch', call, optionalBlock),
  eth_simulateV1: example(
    'Simulate several blocks of calls on top of a block',
    required(
      'simulation',
      'object',
      { blockStateCalls: [{ calls: [{ to: CONTRACT, data: GET_BLOCK_NUMBER }] }] },
      'The blocks, each with its calls and overrides',
    ),
    optionalBlock,
  ),
  eth_blobBaseFee: example('The base fee of blob gas in the next block, in wei'),
  eth_getBlockTransactionCountByNumber: example('How many transactions a block holds', block),
  eth_getTransactionByBlockNumberAndIndex: example('A transaction by its place in a block', block, index),
  eth_getProof: example(
    'The Merkle proof of an account and some of its storage (EIP-1186)',
    account,
    required('slots', 'array', [], 'The storage slots to prove'),
    block,
  ),
  eth_syncing: example('Whether a node is behind the chain'),
  net_listening: example('Whether a node accepts peers'),
  web3_clientVersion: example("A node's client and version"),
  web3_sha3: example('The Keccak-256 hash of some data', required('data', 'data', '0x68656c6c6f', 'The bytes to hash')),
  eth_supportedEntryPoints: example('The ERC-4337 entry points that a bundler serves'),
  eth_getUserOperationByHash: example(
    'A user operation by its hash',
    required('userOperationHash', 'hash', `0x${'00'.repeat(32)}`, 'The hash that eth_sendUserOperation returned'),
  ),
  eth_getUserOperationReceipt: example(
    'The receipt of a user operation',
    required('userOperationHash', 'hash', `0x${'00'.repeat(32)}`, 'The hash that eth_sendUserOperation returned'),
  ),
  trace_block: example('Every call made in a block', block),
  trace_transaction: example('Every call made in a transaction', transactionHash),
  trace_call: example('Run a call and trace it', call, traceTypes, optionalBlock),
  trace_filter: example(
    'Traces that match a filter',
    required(
      'filter',
      'object',
      { fromBlock: 'latest', toBlock: 'latest', count: 10 },
      'A block range, addresses, count',
    ),
  ),
  trace_replayTransaction: example('Run a mined transaction again, tracing it', transactionHash, traceTypes),
  trace_replayBlockTransactions: example("Run a block's transactions again, tracing them", block, traceTypes),
  debug_traceTransaction: example('Trace a mined transaction', transactionHash, tracer),
  debug_traceCall: example('Run a call and trace it', call, block, tracer),
  debug_traceBlockByNumber: example('Trace all transactions of a block', block, tracer),
  debug_traceBlockByHash: example('Trace all transactions of a block', blockHash, tracer),
  debug_getRawBlock: example('A block in its RLP encoding', block),
  txpool_status: example('How many transactions wait in the pool'),
  txpool_inspect: example('A summary of the transactions that wait in the pool'),
  txpool_content: example('All transactions that wait in the pool'),
};
