import type { Config, ConfigSource } from '../config/load';
import type { Database } from '../db/schema';

export interface Option {
  type: 'string' | 'boolean';
  /** Name of the value in the help; absent for switches. */
  value?: string;
  description: string;
  required?: boolean;
  /** True if the value may be personal data. The audit log then omits the value. */
  personal?: boolean;
}

export interface Context {
  config: Config;
  /** Option values by name. Required options are present. */
  options: Readonly<Record<string, string | boolean | undefined>>;
  source: ConfigSource;
  /** Word after the command's name, if the command takes one. */
  argument?: string | undefined;
  ask?: ((question: string) => Promise<string>) | undefined;
}

/** Result of a command, as text for people and JSON for scripts. */
export interface Outcome {
  text: string;
  json: unknown;
  /** Default: 0. */
  exitCode?: number;
  /** Text for standard error. */
  warning?: string;
  /** Subject in the audit log, such as `account 7`. */
  about?: string;
}

/** Command of the operator's command line, such as `accounts create`. */
export type Command = StoreCommand | OfflineCommand | PlaceCommand;

interface CommandFace {
  name: string;
  summary: string;
  options: Readonly<Record<string, Option>>;
  /** Word that may follow the command's name, such as a file. */
  argument?: { name: string; description: string };
  /** True if the configuration must be complete, including the secret that the live profile needs. */
  secretNeeded?: boolean;
  /** True if the audit log covers the command: it changes data, or reveals personal data. */
  audited?: boolean;
}

/** Command that uses the database. A missing database is created. */
export interface StoreCommand extends CommandFace {
  /** False to refuse a database of an earlier release. */
  upgrades?: false;
  run(context: Context & { db: Database }): Promise<Outcome>;
}

/** Command that gets no open database. */
export interface OfflineCommand extends CommandFace {
  offline: true;
  run(context: Context): Promise<Outcome>;
}

/** Command that needs only the path of the data folder, so that it works with an invalid configuration. */
export interface PlaceCommand extends CommandFace {
  placeOnly: true;
  run(context: { dataDir: string }): Promise<Outcome>;
}
