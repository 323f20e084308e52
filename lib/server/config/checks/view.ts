import type { Environment } from '../environment';
import type { Substituted } from '../file';

/** Input of checks that compare fields. Settings are not parsed yet, so that one mistake does not hide another. */
export interface SettingsView {
  settings: unknown;
  /** Settings with every default of the schema. */
  defaults: unknown;
  isLive: boolean;
  env: Environment;
  variables: ReadonlyMap<string, string>;
  substituted: Substituted;
}
