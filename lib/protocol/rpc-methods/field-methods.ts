/** Name spaces of nodes, bundlers and providers that the built-in list leaves out, or has in part. */
const NAME_SPACES = new Set([
  'alchemy', 'ankr', 'arb', 'arbtrace', 'bb', 'bor', 'bundler', 'cfx', 'clique', 'consensus', 'debug', 'erigon', 'eth', 'flashbots', 'hmy', 'kaia', 'klay', 'linea', 'mev', 'nethermind', 'net', 'nr',
  'opp2p', 'optimism', 'ots', 'overlay', 'parity', 'parlia', 'pimlico', 'pm', 'proof', 'qn', 'rollup', 'rundler', 'shh', 'starknet', 'pathfinder', 'juno', 'madara', 'skandha', 'trace', 'trading', 'txpool',
  'tenderly', 'wallet', 'web3', 'zkevm', 'zkp', 'zks', 'zyfi', 'biconomy', 'stackup', 'zd', 'moralis', 'scroll', 'mantle', 'celo', 'taiko', 'sonic', 'ftm', 'dag', 'abft', 'thor', 'evm',
]);
/** Methods of the DAS API (Metaplex) and of block engines and fee oracles on Solana, which have no name space. */
const SOLANA_NAMES = new Set([
  'getAsset', 'getAssetBatch', 'getAssetProof', 'getAssetProofBatch', 'getAssets', 'getAssetProofs', 'getAssetSignatures', 'getAssetsByAuthority', 'getAssetsByCreator', 'getAssetsByGroup', 'getAssetsByOwner',
  'getNftEditions', 'getTokenAccounts', 'searchAssets', 'getPriorityFeeEstimate', 'getProgramAccountsV2', 'getTokenAccountsByOwnerV2', 'getTransactionsForAddress',
  'getCompressedAccount', 'getCompressedAccountProof', 'getCompressedAccountsByOwner', 'getCompressedTokenAccountsByOwner', 'getValidityProof', 'getMultipleCompressedAccounts', 'getIndexerHealth',
  'sendBundle', 'simulateBundle', 'getBundleStatuses', 'getInflightBundleStatuses', 'getTipAccounts',
]);
const NAME = /^([a-z0-9]{2,20})_[A-Za-z]\w{1,60}$/;

/** Whether an unlisted name looks like a method that some nodes of the field have, so that an operator could allow it (`rpc.extraMethods`). */
export function isFieldMethod(name: string): boolean {
  return SOLANA_NAMES.has(name) || NAME_SPACES.has(NAME.exec(name)?.[1] ?? '');
}
