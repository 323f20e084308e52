/**
 * `away`: the upstream is unreachable or closed the connection early. `gone`: the client disconnected. `too-long`: the
 * answer exceeds its bound.
 */
type FailureReason = 'away' | 'timeout' | 'gone' | 'too-long';

export class UpstreamFailed extends Error {
  override readonly name = 'UpstreamFailed';

  /** Compares names, because each bundle has its own copy of this class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'UpstreamFailed';
  }

  readonly isUnsent: boolean;

  constructor(
    readonly reason: FailureReason,
    { isUnsent = false, ...options }: ErrorOptions & { isUnsent?: boolean } = {},
  ) {
    super(`The upstream gave no answer (${reason}).`, options);
    this.isUnsent = isUnsent;
  }
}

const TIMEOUT_CODES = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

export function upstreamFailure(error: Error): UpstreamFailed {
  if (error instanceof UpstreamFailed) return error;
  return new UpstreamFailed(TIMEOUT_CODES.has((error as NodeJS.ErrnoException).code ?? '') ? 'timeout' : 'away', {
    cause: error,
  });
}
