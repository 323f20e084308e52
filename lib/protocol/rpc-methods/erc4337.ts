import { defineMethods } from './rpc-method';

/**
 * ERC-4337 bundlers (ERC-7769), and the reads that the two bundlers behind most providers, Pimlico's
 * and Rundler, document for finding a fee and following a user operation. The `debug_bundler_`
 * methods administer a bundler and are not here.
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
