import { defineMethods } from './rpc-method';

/** Methods about a node's network and client (EIP-1474). */
export const NET_METHODS = defineMethods({
  kind: 'evm',
  family: 'net',
  tier: 'standard',
  reads: ['net_listening', 'net_peerCount', 'net_version'],
});

/** Client version and Keccak-256 (EIP-1474). */
export const WEB3_METHODS = defineMethods({
  kind: 'evm',
  family: 'web3',
  tier: 'standard',
  reads: ['web3_clientVersion', 'web3_sha3'],
});
