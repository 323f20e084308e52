import type { ClientProcess, RunningCommand } from './client-process';
import { faultsOfMoney, sentAuthorizations, type SignedAuthorization } from './faults';
import { Scenario } from './scenario';
import type { ScriptedGateway } from './scripted-gateway';

/** The environment of a client that pays from a wallet. */
export const WALLET = { TURNPIKE_PRIVATE_KEY: `0x${'5a'.repeat(32)}` };
/** What a server that lives long may top up in a day: enough for many calls, and few enough to be used up. */
export const SERVER_PER_DAY_USD = 1_000;

const START_TIMEOUT_MS = 60_000;

/** A command that serves until it is ended: a proxy, or an MCP server. It is told the lies of one call after the other. */
export interface Server {
  /** As the gateway knows it. */
  name: string;
  url: string;
  token: string;
  command: RunningCommand;
  /** The process that it runs in. */
  client: ClientProcess;
  /** What it has signed and sent so far. */
  sent: SignedAuthorization[];
}

/** Starts a command that listens, told the truth until then. @throws where it ends instead */
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

/** What a server signed for a call, held against its budget with what it signed before. */
export function faultsOfSpending({ sent }: Server, scenario: Scenario): string[] {
  sent.push(...sentAuthorizations(scenario).filter(({ nonce }) => !sent.some((each) => each.nonce === nonce)));
  return faultsOfMoney(sent, SERVER_PER_DAY_USD);
}

/** Hands out servers, one call at a time each: what one says is the call's. */
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
