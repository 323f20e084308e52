import type { Environment } from '../environment';
import type { Substituted } from '../substitution';

/**
 * What checks of how fields fit together look at: the settings as they stand, of whatever types, so that one mistake
 * does not hide the next.
 */
export interface SettingsView {
  settings: unknown;
  /** Every default of the schema. */
  defaults: unknown;
  isLive: boolean;
  env: Environment;
  /** Variables that gave a field instead of the file, by its path. */
  variables: ReadonlyMap<string, string>;
  substituted: Substituted;
}
