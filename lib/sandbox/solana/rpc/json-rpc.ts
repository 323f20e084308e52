/** JSON value in which integers may be bigints, because u64 amounts need them. */
export type Json =
  | JsonText
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Json[]
  | { readonly [name: string]: Json | undefined };

export class JsonText {
  constructor(readonly text: string) {}
}

/** Formats JSON. Writes bigints as numbers with all digits, which JSON.stringify cannot. Omits undefined members. */
export function toJsonText(value: Json): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value instanceof JsonText) return value.text;
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(toJsonText).join(',')}]`;
  const members = Object.entries(value as Record<string, Json | undefined>)
    .filter((member): member is [string, Json] => member[1] !== undefined)
    .map(([name, member]) => `${JSON.stringify(name)}:${toJsonText(member)}`);
  return `{${members.join(',')}}`;
}

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
