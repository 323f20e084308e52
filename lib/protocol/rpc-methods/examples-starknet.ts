import { type MethodExample, required } from './method-example';

const TOKEN = '0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d';
/** Entry point selector of `name`: the lower 250 bits of its Keccak-256. */
const NAME_SELECTOR = '0x361458367e696363fbcc70777d07ebbd2394e89fd0adcaf147faccd1d294d60';

const block = required('block_id', 'block', 'latest', 'latest, or an object with block_number or block_hash');
const contract = required('contract_address', 'address', TOKEN, 'The contract, a field element in hex');
const transactionHash = required(
  'transaction_hash',
  'hash',
  '0x1',
  'The hash of the transaction, a field element in hex',
);

export const STARKNET_EXAMPLES: Readonly<Record<string, MethodExample>> = {
  starknet_call: {
    description: 'Run a contract function without a transaction',
    params: [
      required(
        'request',
        'object',
        { contract_address: TOKEN, entry_point_selector: NAME_SELECTOR, calldata: [] },
        'The contract, the selector of its function, and the arguments as field elements',
      ),
      block,
    ],
  },
  starknet_blockNumber: { description: 'The number of the newest block', params: [] },
  starknet_getEvents: {
    description: 'Events that match a filter, page by page',
    params: [
      required(
        'filter',
        'object',
        { from_block: 'latest', to_block: 'latest', address: TOKEN, chunk_size: 10 },
        'from_block, to_block, address, keys, chunk_size, continuation_token',
      ),
    ],
  },
  starknet_getTransactionReceipt: { description: 'The receipt of a transaction', params: [transactionHash] },
  starknet_getNonce: { description: 'The next nonce of an account', params: [block, contract] },
  starknet_getBlockWithTxHashes: { description: "A block with its transactions' hashes", params: [block] },
  starknet_getTransactionByHash: { description: 'A transaction by its hash', params: [transactionHash] },
  starknet_chainId: { description: 'The chain id, short text in hex', params: [] },
  starknet_getStorageAt: {
    description: 'One storage slot of a contract',
    params: [contract, required('key', 'quantity', '0x0', 'The position in storage, a field element in hex'), block],
  },
  starknet_getTransactionStatus: {
    description: 'How final a transaction is, and how it ended',
    params: [transactionHash],
  },
  starknet_getBlockWithReceipts: { description: 'A block with its transactions and their receipts', params: [block] },
  starknet_getClassHashAt: { description: 'The class of a contract', params: [block, contract] },
  starknet_blockHashAndNumber: { description: 'The hash and number of the newest block', params: [] },
  starknet_specVersion: { description: 'The version of the JSON-RPC specification that a node speaks', params: [] },
  starknet_syncing: { description: 'Whether a node is behind the chain', params: [] },
  starknet_getBlockWithTxs: { description: 'A block with its transactions', params: [block] },
  starknet_getBlockTransactionCount: { description: 'How many transactions a block holds', params: [block] },
  starknet_getStateUpdate: { description: 'What a block changed in the state', params: [block] },
  starknet_traceTransaction: { description: 'Every call made in a transaction', params: [transactionHash] },
};
