/** Unusable configuration. Each fault names a field and the expected value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(
    readonly faults: readonly string[],
    readonly warnings: readonly string[] = [],
  ) {
    super(`The configuration cannot be used:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
}

/** Exit code for an unusable configuration (EX_CONFIG of sysexits). A restart would not help. */
const CONFIGURATION_EXIT_CODE = 78;

/**
 * Returns the exit code of a failed start. Recognizes the error by name, because each bundle in the process has its own
 * class.
 */
export function startFailureExitCode(error: unknown): number {
  return error instanceof Error && error.name === 'ConfigError' ? CONFIGURATION_EXIT_CODE : 1;
}
