/** An error as EIP-1193 (section "Provider Errors") and EIP-1474 number them. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';

  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** EIP-1193: the person refused. */
export const USER_REJECTED = 4001;
export const UNAUTHORIZED = 4100;
export const UNSUPPORTED_METHOD = 4200;
/** EIP-3085: the wallet does not know the chain. */
export const UNKNOWN_CHAIN = 4902;
export const INVALID_PARAMS = -32602;

/** Refuses in the person's name. */
export function userRejected(): ProviderError {
  return new ProviderError(USER_REJECTED, 'User rejected the request.');
}
