/**
 * Why an upstream gave no answer. `away`: it cannot be reached, or broke off; `timeout`: it took too long; `gone`: the
 * client left first; `too-long`: it answered more than is read.
 */
export type FailureReason = 'away' | 'timeout' | 'gone' | 'too-long';

/** An upstream gave no answer. */
export class UpstreamFailed extends Error {
  override readonly name = 'UpstreamFailed';

  /** Known by its name: bundles of one process have classes of their own. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'UpstreamFailed';
  }

  /** Nothing of the question had left for it, so that it did nothing. */
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

/** What an error of the HTTP client means. */
export function upstreamFailure(error: Error): UpstreamFailed {
  if (error instanceof UpstreamFailed) return error;
  return new UpstreamFailed(TIMEOUT_CODES.has((error as NodeJS.ErrnoException).code ?? '') ? 'timeout' : 'away', {
    cause: error,
  });
}
