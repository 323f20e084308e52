import type { ClientProcess, RunningCommand } from './client-process';
import { faultsOfMoney, sentAuthorizations, type SignedAuthorization } from './faults';
import { Scenario } from './scenario';
import type { ScriptedGateway } from './scripted-gateway';

/** Environment of a client that pays from a wallet. */
export const WALLET = { TURNPIKE_PRIVATE_KEY: `0x${'5a'.repeat(32)}` };
/** Daily top-up limit of a server: enough for many calls, but small enough to be used up. */
export const SERVER_PER_DAY_USD = 1_000;

const START_TIMEOUT_MS = 60_000;

/**
 * Proxy or MCP server that runs until stopped. Serves one call after another. The gateway has different lies for each
 * call.
 */
export interface Server {
  /** Name by which the gateway selects its lies. */
  name: string;
  url: string;
  token: string;
  command: RunningCommand;
  client: ClientProcess;
  /** Payments that the server has signed and sent. */
  sent: SignedAuthorization[];
}

/** Starts a server against an honest gateway. @throws if the command ends before it listens */
export async function startServer(
  gateway: ScriptedGateway,
  client: ClientProcess,
  name: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<Server> {
  gateway.set(name, new Scenario({}));
  const token = 'a-token-of-the-bench';
  let tell = (): void => undefined;
  const listening = new Promise<void>((resolve) => (tell = resolve));
  const command = client.run(
    [...args, '--json', '--url', gateway.urlOf(name)],
    { ...env, TURNPIKE_PROXY_TOKEN: token },
    { onPrinted: () => command.out.includes('\n') && tell() },
  );
  const late = new Promise<never>((_, reject) =>
    setTimeout(() => reject(new Error(`${name} did not listen in time: ${command.err}`)), START_TIMEOUT_MS).unref(),
  );
  const endedFirst = command.ended.then((code) => {
    throw new Error(`${name} ended with ${code}: ${command.out}${command.err}`);
  });
  await Promise.race([listening, endedFirst, late]);
  const { url } = JSON.parse(command.out) as { url: string };
  return { name, url, token, command, client, sent: [] };
}

/** Returns the faults in the payments that a server made for a call. Earlier payments count toward the budget. */
export function faultsOfSpending({ sent }: Server, scenario: Scenario): string[] {
  sent.push(...sentAuthorizations(scenario).filter(({ nonce }) => !sent.some((each) => each.nonce === nonce)));
  return faultsOfMoney(sent, SERVER_PER_DAY_USD);
}

/** Lends each server to one call at a time, so that its output belongs to that call. */
export class Pool<Each> {
  readonly #waiting: ((each: Each) => void)[] = [];
  readonly #free: Each[];

  constructor(all: readonly Each[]) {
    this.#free = [...all];
  }

  async with<Result>(use: (each: Each) => Promise<Result>): Promise<Result> {
    const each = this.#free.pop() ?? (await new Promise<Each>((resolve) => this.#waiting.push(resolve)));
    try {
      return await use(each);
    } finally {
      const next = this.#waiting.shift();
      if (next) next(each);
      else this.#free.push(each);
    }
  }
}
