import type { TaskName } from './tasks';

/** One run of a program: a prompt, and where it finds what it needs. */
export interface Turn {
  task: TaskName;
  prompt: string;
  /** Whether the conversation of the turn before goes on. */
  continues: boolean;
  /** Its working directory, with the files of the tasks. */
  workspace: string;
  /** Its home directory, empty at the first turn. */
  home: string;
  /** `node_modules` of the installed programs. */
  modules: string;
  openaiUrl: string;
  anthropicUrl: string;
  key: string;
  /** Null where the program is to name the model that it knows, whatever answers. */
  model: string | null;
}

/** How a program is started for a turn. */
export interface Invocation {
  command: readonly string[];
  env?: Readonly<Record<string, string>>;
}

/** A program that customers use, as npm has it. */
export interface Program {
  /** As options and files name it. */
  name: string;
  title: string;
  /** npm packages and their versions, the program's own first. */
  packages: Readonly<Record<string, string>>;
  api: 'Messages' | 'Responses' | 'Chat Completions';
  /** Writes what it is configured by, and says how it is started. */
  invoke(turn: Turn): Invocation;
}
