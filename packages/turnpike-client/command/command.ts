/** What a command has of the process that it runs in. */
export interface CommandIo {
  env: Readonly<Record<string, string | undefined>>;
  /** Answers. */
  out(text: string): void;
  /** All else. */
  err(text: string): void;
  /** Bytes of an answer that is no text. */
  write(bytes: Uint8Array): void;
  /** Asks for a secret at the terminal, which does not show it; null where nobody is there to be asked. */
  askSecret: ((question: string) => Promise<string>) | null;
  /** All of standard input, as text. */
  readInput(): Promise<string>;
  /** Aborted by Ctrl+C. */
  signal: AbortSignal;
}

/** One of the commands behind `turnpike-client`. */
export interface Command {
  help: string;
  /** @returns the exit code @throws {UsageError | TurnpikeError} */
  run(args: readonly string[], io: CommandIo): Promise<number>;
}

/** What a shell learns of how a command ended. */
export const EXIT = {
  done: 0,
  /** It ran, and the answer is no: a JSON-RPC error, an attestation that does not hold. */
  failed: 1,
  usage: 2,
  /** The gateway refused or did not answer. */
  refused: 3,
  /** Money would have moved that the budget does not allow, or the payment was refused. */
  money: 4,
  /** This program is at fault. */
  fault: 70,
  cancelled: 130,
} as const;
