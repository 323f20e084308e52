import { type MethodExample, optional, required } from './method-example';

const batchNumber = required('batchNumber', 'number', 1, 'The number of the L1 batch');
const call = required(
  'transaction',
  'object',
  {
    from: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    to: '0xcA11bde05977b3631167028862bE2a173976CA11',
    data: '0x42cbb15c',
  },
  'The transaction: from, to, data, value',
);
const transactionHash = required(
  'transactionHash',
  'hash',
  '0x526e56101cf39c1e717cef9cedf6fdddb42684711abda35bae51136dbb350ad7',
  'The hash of the transaction, 32 bytes',
);
const block = required('block', 'block', 'latest', 'A block number in hex, or latest');

export const CHAIN_METHOD_EXAMPLES: Readonly<Record<string, MethodExample>> = {
  zks_L1BatchNumber: { description: 'The number of the newest L1 batch', params: [] },
  zks_L1ChainId: { description: 'The chain id of the L1 underneath', params: [] },
  zks_estimateFee: { description: 'The fee of a transaction, with gas per byte of public data', params: [call] },
  zks_getBlockDetails: {
    description: 'A block with its batch and the L1 transactions that settled it',
    params: [required('blockNumber', 'number', 1, 'The number of the block')],
  },
  zks_getTransactionDetails: { description: 'A transaction with its status on L1', params: [transactionHash] },
  zks_getL1BatchDetails: { description: 'A batch with the L1 transactions that settled it', params: [batchNumber] },
  zks_getL1BatchBlockRange: { description: 'The first and last block of a batch', params: [batchNumber] },
  zks_getBridgehubContract: { description: 'The address of the bridgehub on L1', params: [] },
  zks_getBridgeContracts: { description: 'The addresses of the default bridges', params: [] },
  linea_estimateGas: { description: 'Gas limit, base fee and priority fee in one answer', params: [call] },
  linea_getProof: {
    description: "The proof of an account in Linea's state tree",
    params: [
      required('address', 'address', '0xcA11bde05977b3631167028862bE2a173976CA11', 'The account, 20 bytes'),
      required('slots', 'array', [], 'The storage slots to prove'),
      block,
    ],
  },
  linea_getTransactionExclusionStatusV1: {
    description: 'Why a transaction was left out, null if it was not',
    params: [transactionHash],
  },
  bor_getAuthor: { description: 'Who produced a block', params: [block] },
  bor_getCurrentProposer: { description: 'Who proposes the next block', params: [] },
  bor_getCurrentValidators: { description: 'The validators of the current span', params: [] },
  bor_getRootHash: {
    description: 'The root hash of a range of blocks, as a checkpoint has it',
    params: [
      required('from', 'number', 1_000_000, 'The first block'),
      required('to', 'number', 1_000_010, 'The last block'),
    ],
  },
  bor_getSnapshot: {
    description: 'The validators and recent signers at a block',
    params: [optional('block', 'block', 'latest', block.description)],
  },
  base_transactionStatus: { description: 'Whether the sequencer knows a transaction', params: [transactionHash] },
  arbtrace_block: {
    description: 'Every call made in a block from before Nitro',
    params: [required('block', 'block', '0x10000', 'A block number in hex, below 0x152dd45')],
  },
};
