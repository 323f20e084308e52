import type { Json } from './json';

/** A node's error codes (JSON-RPC 2.0; Agave, `rpc-client-api/src/custom_error.rs`). */
export const RPC_CODES = {
  parse: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  preflightFailure: -32_002,
  signatureFailure: -32_003,
  blockNotAvailable: -32_004,
  noSnapshot: -32_008,
  unsupportedTransactionVersion: -32_015,
  minContextSlotNotReached: -32_016,
} as const;

export class RpcError extends Error {
  override readonly name = 'RpcError';

  constructor(
    readonly code: number,
    message: string,
    readonly data?: Json,
  ) {
    super(message);
  }
}

export function invalidParams(message: string): RpcError {
  return new RpcError(RPC_CODES.invalidParams, message);
}
