import { type CommandEnvironment, type CommandOutcome, runCommand, startCommand } from '@/test/customer-command';
import { until } from '@/test/until';

export { type CommandEnvironment, type CommandOutcome, runCommand };

/** A command loads its modules before it prints anything. */
const PATIENCE_MS = 30_000;

/** Line of JSON that a proxy prints. */
export interface ToldLine {
  type: string;
  [field: string]: unknown;
}

/** A running proxy, with everything that it printed. */
export interface RunningProxyCommand {
  url: string;
  port: number;
  token: string;
  /** Returns the text of standard error. */
  err(): string;
  /** Returns the printed lines of one type. */
  told(type: string): ToldLine[];
  /** Waits for this many lines of one type. */
  heard(type: string, count: number): Promise<ToldLine[]>;
  /** Stops the proxy with SIGINT, like Ctrl+C. @returns the exit code */
  stop(): Promise<number>;
}

/** Starts `turnpike-client proxy --json` on a free port. @throws if the proxy exits */
export async function startProxyCommand(
  args: readonly string[],
  env: CommandEnvironment,
): Promise<RunningProxyCommand> {
  const abort = new AbortController();
  const told = { out: '', err: '' };
  let code: number | null = null;
  const ended = startCommand(['proxy', '--port', '0', '--json', ...args], { env, signal: abort.signal }, told).then(
    (ending) => (code = ending),
  );
  await until(() => told.out.includes('\n') || code !== null, PATIENCE_MS);
  if (code !== null) throw new Error(`The proxy ended with ${String(code)}: ${told.out}${told.err}`);
  const { url, token } = JSON.parse(told.out) as { url: string; token: string };
  const lines = (type: string): ToldLine[] =>
    told.err
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as ToldLine)
      .filter((line) => line.type === type);
  return {
    url,
    port: Number(new URL(url).port),
    token,
    err: () => told.err,
    told: lines,
    heard: async (type, count) => {
      await until(() => lines(type).length >= count, PATIENCE_MS);
      return lines(type);
    },
    stop: () => {
      abort.abort();
      return ended;
    },
  };
}
