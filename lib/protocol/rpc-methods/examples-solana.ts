import { type MethodExample, optional, required } from './method-example';

const USDC_MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const WRAPPED_SOL_MINT = 'So11111111111111111111111111111111111111112';
const CLOCK_SYSVAR = 'SysvarC1ock11111111111111111111111111111111';
const VOTE_PROGRAM = 'Vote111111111111111111111111111111111111111';
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const SIGNATURE = '2nBhEBYYvfaAe16UMNqRHre4YNSskvuYgx3M6E4JP1oDYvZEJHvoPzyUidNgNX5r9sTyN1J9UxtbCXy2rqYcuNyv';
/** Signed transfer with an expired blockhash, so that sending it has no effect. */
const EXPIRED_TRANSACTION =
  '4hXTCkRzt9WyecNzV1XPgCDfGAZzQKNxLXgynz5QDuWWPSAZBZSHptvWRL3BjCvzUXRdKvHL2b7yGrRQcWyaqsaBCncVG7BFggS8w9snUts67BSh3' +
  'EqKpXLUm5UMHfD7ZBe9GhARjbNQMLJ1QD3Spr6oMTBU6EhdB4RD8CP2xUxr2u3d6fos36PD98XS6oX8TQjLpsMwncs5DAMiD4nNnR8NBfyghGCWvC' +
  'VifVwvA8B8TJxE1aiyiv2L429BCWfyzAme5sZW8rDb14NeCQHhZbtNqfXhcp2tAnaAT';
const MESSAGE =
  'AQABAgIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA';

const account = required('account', 'address', CLOCK_SYSVAR, 'The account, in base58');
const mint = required('mint', 'address', USDC_MINT, 'The mint of the token, in base58');
const commitment = optional(
  'options',
  'object',
  { commitment: 'confirmed' },
  'commitment: processed, confirmed or finalized',
);
const encoding = optional(
  'options',
  'object',
  { encoding: 'base64' },
  'encoding: base58, base64, base64+zstd or jsonParsed; commitment',
);
const transactionOptions = required(
  'options',
  'object',
  { encoding: 'json', maxSupportedTransactionVersion: 0 },
  'encoding, commitment, maxSupportedTransactionVersion',
);
const slot = required('slot', 'number', 300_000_000, 'The number of the slot');
const signedTransaction = required(
  'transaction',
  'data',
  EXPIRED_TRANSACTION,
  'The signed transaction, serialized in base58 or base64',
);

export const SOLANA_EXAMPLES: Readonly<Record<string, MethodExample>> = {
  getAccountInfo: { description: 'An account with its data', params: [account, { ...encoding, required: true }] },
  getLatestBlockhash: { description: 'A blockhash to sign a transaction with', params: [commitment] },
  getBalance: { description: 'The balance of an account, in lamports', params: [account, commitment] },
  getTransaction: {
    description: 'A transaction by its signature',
    params: [required('signature', 'string', SIGNATURE, 'The signature, in base58'), transactionOptions],
  },
  getSignaturesForAddress: {
    description: 'The newest transactions that touch an account',
    params: [
      { ...account, example: USDC_MINT },
      required('options', 'object', { limit: 10 }, 'limit up to 1000; before, until'),
    ],
  },
  getMultipleAccounts: {
    description: 'Several accounts with their data',
    params: [
      required('accounts', 'array', [CLOCK_SYSVAR, WRAPPED_SOL_MINT], 'At most 100 accounts'),
      { ...encoding, required: true },
    ],
  },
  getTokenAccountsByOwner: {
    description: 'The token accounts of an owner',
    params: [
      required('owner', 'address', VOTE_PROGRAM, 'The owner, in base58'),
      required('filter', 'object', { programId: TOKEN_PROGRAM }, 'A mint or a programId'),
      required('options', 'object', { encoding: 'jsonParsed' }, 'encoding, commitment'),
    ],
  },
  sendTransaction: {
    description: 'Submit a signed transaction',
    params: [
      signedTransaction,
      optional('options', 'object', { encoding: 'base58' }, 'encoding, skipPreflight, maxRetries'),
    ],
  },
  getSignatureStatuses: {
    description: 'The status of transactions',
    params: [
      required('signatures', 'array', [SIGNATURE], 'At most 256 signatures'),
      optional('options', 'object', { searchTransactionHistory: true }, 'Whether to look beyond recent slots'),
    ],
  },
  simulateTransaction: {
    description: 'Run a transaction without sending it',
    params: [
      signedTransaction,
      required(
        'options',
        'object',
        { encoding: 'base58', replaceRecentBlockhash: true },
        'encoding, sigVerify, replaceRecentBlockhash',
      ),
    ],
  },
  getProgramAccounts: {
    description: 'The accounts that a program owns',
    params: [
      required('program', 'address', '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T', 'The program, in base58'),
      required(
        'options',
        'object',
        { encoding: 'base64', filters: [{ dataSize: 17 }] },
        'encoding, filters, dataSlice',
      ),
    ],
  },
  getSlot: { description: 'The newest slot', params: [commitment] },
  getBlock: {
    description: 'A block by its slot',
    params: [
      slot,
      {
        ...transactionOptions,
        example: { encoding: 'json', maxSupportedTransactionVersion: 0, transactionDetails: 'signatures' },
      },
    ],
  },
  getBlockHeight: { description: 'The newest block height', params: [commitment] },
  getRecentPrioritizationFees: {
    description: 'Priority fees of recent blocks, in micro-lamports per compute unit',
    params: [optional('accounts', 'array', [USDC_MINT], 'Accounts that the transactions locked')],
  },
  getMinimumBalanceForRentExemption: {
    description: 'The lamports that make an account rent-exempt',
    params: [required('dataLength', 'number', 165, 'The size of its data, in bytes')],
  },
  getTokenSupply: { description: 'The total supply of a token', params: [mint, commitment] },
  getEpochInfo: { description: 'The current epoch and how far it has come', params: [commitment] },
  getHealth: { description: 'Whether a node keeps up with the chain', params: [] },
  getVersion: { description: "A node's software version", params: [] },
  getTokenLargestAccounts: { description: 'The 20 largest accounts of a token', params: [mint, commitment] },
  getBlockTime: { description: 'When a block was produced, in Unix seconds', params: [slot] },
  getFeeForMessage: {
    description: 'The fee of a message, in lamports',
    params: [required('message', 'data', MESSAGE, 'The message, in base64'), commitment],
  },
  getLargestAccounts: { description: 'The 20 largest accounts', params: [] },
  getSupply: {
    description: 'The total and circulating supply, in lamports',
    params: [
      required('options', 'object', { excludeNonCirculatingAccountsList: true }, 'Whether to leave the long list out'),
    ],
  },
};
