import type { TaskName } from './tasks';

/** One run of a program: the prompt and the environment. */
interface Turn {
  task: TaskName;
  prompt: string;
  /** True to continue the previous turn's conversation. */
  continues: boolean;
  /** Working directory with the files of the tasks. */
  workspace: string;
  /** Home directory, empty at the first turn. */
  home: string;
  /** `node_modules` of the installed programs. */
  modules: string;
  openaiUrl: string;
  anthropicUrl: string;
  key: string;
  /** Name of the model; null if the program should use a model name that it knows. */
  model: string | null;
}

/** Command and environment of a turn. */
interface Invocation {
  command: readonly string[];
  env?: Readonly<Record<string, string>>;
}

/** Program on npm that customers use. */
export interface Program {
  /** Name in options and file names. */
  name: string;
  title: string;
  /** npm packages and versions, the program's own package first. */
  packages: Readonly<Record<string, string>>;
  api: 'Messages' | 'Responses' | 'Chat Completions';
  /** Writes the program's configuration. Returns how to start it. */
  invoke(turn: Turn): Invocation;
}
