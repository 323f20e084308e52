/** A configuration that cannot be used. Each fault names the path of the field and what was expected. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(
    readonly faults: readonly string[],
    readonly warnings: readonly string[] = [],
  ) {
    super(`The configuration cannot be used:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
}

/** Of a start whose configuration cannot be used (EX_CONFIG of sysexits): to start again would change nothing. */
export const CONFIGURATION_EXIT_CODE = 78;

/** What a gateway ends with that could not start. A fault is known by its name: bundles of one process have classes of their own. */
export function startFailureExitCode(error: unknown): number {
  return error instanceof Error && error.name === 'ConfigError' ? CONFIGURATION_EXIT_CODE : 1;
}
