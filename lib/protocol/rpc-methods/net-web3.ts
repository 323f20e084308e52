import { defineMethods } from './rpc-method';

/** Which network and which client a node runs (EIP-1474). */
export const NET_METHODS = defineMethods({
  kind: 'evm',
  family: 'net',
  tier: 'standard',
  reads: ['net_listening', 'net_peerCount', 'net_version'],
});

/** The client's version and its Keccak-256 (EIP-1474). */
export const WEB3_METHODS = defineMethods({
  kind: 'evm',
  family: 'web3',
  tier: 'standard',
  reads: ['web3_clientVersion', 'web3_sha3'],
});
