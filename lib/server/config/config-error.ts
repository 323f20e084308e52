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
