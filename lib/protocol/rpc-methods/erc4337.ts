import { defineMethods } from './rpc-method';

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
