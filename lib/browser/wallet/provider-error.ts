/** Error with a code from EIP-1193 (section "Provider Errors") or EIP-1474. */
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

/** The user refused (EIP-1193). */
export const USER_REJECTED = 4001;
export const UNAUTHORIZED = 4100;
export const UNSUPPORTED_METHOD = 4200;
/** The wallet does not know the chain (EIP-3085). */
export const UNKNOWN_CHAIN = 4902;
export const INVALID_PARAMS = -32602;

export function userRejected(): ProviderError {
  return new ProviderError(USER_REJECTED, 'User rejected the request.');
}
