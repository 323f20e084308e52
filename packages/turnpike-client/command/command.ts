import { EXIT_USAGE } from '@/lib/command-line/usage-error';

export interface CommandIo {
  env: Readonly<Record<string, string | undefined>>;
  out(text: string): void;
  err(text: string): void;
  write(bytes: Uint8Array): void;
  /** Asks the user for a secret without echo; null if there is no terminal. */
  askSecret: ((question: string) => Promise<string>) | null;
  readInput(): Promise<string>;
  /** Yields the lines of standard input as they are typed. */
  readLines(): AsyncIterable<string>;
  signal: AbortSignal;
}

export interface Command {
  help: string;
  /** @returns the exit code @throws {UsageError | TurnpikeError} */
  run(args: readonly string[], io: CommandIo): Promise<number>;
}

export const EXIT = {
  done: 0,
  /** The command ran and the result is negative, such as a JSON-RPC error or an attestation that is not accepted. */
  failed: 1,
  usage: EXIT_USAGE,
  /** The gateway refused the request or did not answer. */
  refused: 3,
  /** The budget forbids the payment, or the gateway refused it. */
  money: 4,
  fault: 70,
  cancelled: 130,
} as const;
