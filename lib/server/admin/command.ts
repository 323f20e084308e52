import type { Config, ConfigSource } from '../config/load';
import type { Database } from '../db/schema';

/** An option of a command, as the help shows it. */
export interface Option {
  type: 'string' | 'boolean';
  /** How its value is called in the help; absent for switches. */
  value?: string;
  description: string;
  required?: boolean;
  /** Its value may say who somebody is, or is a person's own words: the audit log has that it was given, and no more. */
  personal?: boolean;
}

/** What a command works with. */
export interface Context {
  config: Config;
  /** Option values by name, checked for presence. */
  options: Readonly<Record<string, string | boolean | undefined>>;
  /** What the configuration was read from. */
  source: ConfigSource;
  /** The word after the command's name, where it takes one. */
  argument?: string | undefined;
  /** Asks whoever types; absent where nobody does. */
  ask?: ((question: string) => Promise<string>) | undefined;
}

/** What a command says: to a person and to a script. */
export interface Outcome {
  text: string;
  json: unknown;
  /** 0 unless the command found a fault. */
  exitCode?: number;
  /** For the audit log: what it was about, such as `account 7`. */
  about?: string;
}

/** One command of the operator's command line, such as `accounts create`. */
export type Command = StoreCommand | OfflineCommand | PlaceCommand;

interface CommandFace {
  name: string;
  summary: string;
  options: Readonly<Record<string, Option>>;
  /** A word that may follow its name, such as a file; absent where it takes none. */
  argument?: { name: string; description: string };
  /** Whether it judges the configuration as a gateway would, which must have its secret in live. */
  secretNeeded?: boolean;
  /** Whether the audit log has it: what changes something, and what gives away what is kept of people. */
  audited?: boolean;
}

/** A command on the store, which is opened for it, and made where there is none. */
export interface StoreCommand extends CommandFace {
  run(context: Context & { db: Database }): Promise<Outcome>;
}

/** A command that needs no store and touches none. */
export interface OfflineCommand extends CommandFace {
  offline: true;
  run(context: Context): Promise<Outcome>;
}

/** A command that needs to know where the data folder is, and nothing else: the configuration may be broken. */
export interface PlaceCommand extends CommandFace {
  placeOnly: true;
  run(context: { dataDir: string }): Promise<Outcome>;
}

/** A command that was called in a way that makes no sense. The message says how to call it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
