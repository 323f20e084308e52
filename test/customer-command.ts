import { runCommandLine } from '@/packages/turnpike-client/command/run';

/** Result of a command: its exit code and what it printed. */
export interface CommandOutcome {
  code: number;
  out: string;
  err: string;
}

export type CommandEnvironment = Readonly<Record<string, string | undefined>>;

/** Input and surroundings that a test gives a command, besides its arguments. */
export interface CommandSetting {
  env?: CommandEnvironment;
  /** Whole standard input. */
  input?: string;
  /** Lines that are typed one after another. */
  lines?: readonly string[];
  /** Answer to the question for a secret. Without an answer, the command has no terminal. */
  secret?: string;
  signal?: AbortSignal;
}

/** Runs `turnpike-client` in this process, with its own environment, to its end. */
export async function runCommand(args: readonly string[], setting: CommandSetting = {}): Promise<CommandOutcome> {
  const outcome: CommandOutcome = { code: -1, out: '', err: '' };
  outcome.code = await startCommand(args, setting, outcome);
  return outcome;
}

/** Starts `turnpike-client` and adds what it prints to `told`. @returns the exit code */
export function startCommand(
  args: readonly string[],
  { env = {}, input = '', lines = [], secret, signal = new AbortController().signal }: CommandSetting,
  told: Pick<CommandOutcome, 'out' | 'err'>,
): Promise<number> {
  return runCommandLine(args, {
    env,
    signal,
    out: (text) => void (told.out += text),
    err: (text) => void (told.err += text),
    write: (bytes) => void (told.out += new TextDecoder().decode(bytes)),
    askSecret: secret === undefined ? null : () => Promise.resolve(secret),
    readInput: () => Promise.resolve(input),
    readLines: async function* () {
      for (const line of lines) yield await Promise.resolve(line);
    },
  });
}
