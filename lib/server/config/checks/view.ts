import type { Environment } from '../environment';
import type { Substituted } from '../file';

/** Input of checks across fields. Settings are unparsed, so that one mistake does not hide the next. */
export interface SettingsView {
  settings: unknown;
  /** Settings with every default of the schema. */
  defaults: unknown;
  isLive: boolean;
  env: Environment;
  variables: ReadonlyMap<string, string>;
  substituted: Substituted;
}
