/** A client of the gateway for browsers and Node: `fetch` in, typed answers and typed errors out. No framework. */
export { createTurnpikeClient } from './turnpike-client';
export type { RawAnswer, RpcCallOptions, RpcRequest, TurnpikeClient } from './turnpike-client';
export type { CallOptions, TurnpikeClientOptions } from './exchange';
export { credentialHeader } from './credential';
export type { CallCredential } from './credential';
export { GatewayError, UnreachableError } from './gateway-error';
export type { FieldError, GatewayErrorDetail, RateLimit } from './gateway-error';
export type { GatewaySettings, StakingDeployment } from './gateway-settings';
export { UPSTREAM_STATES } from './network-health';
export type { NetworkHealth, UpstreamHealth, UpstreamState } from './network-health';
export type { RpcAnswer, RpcItem, RpcItemError } from './rpc-answer';
export type { FaucetReceipt, SandboxEvmChain, SandboxInfo } from './sandbox-info';
export { listKeys, mintKey, mintRefusalOf, requestMintToken, revokeKey } from './minting';
export type { KeyListOptions, KeyPage, ListedKey, MintedKey, MintRefusal, MintRefusalReason, MintRemedy, MintRequest } from './minting';
