import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isClosedWhilePaused } from '@/packages/turnpike-client/command/closed-while-paused';
import { ClientProcess } from './client-process';
import { callCommand, COMMAND_CALLS } from './command-calls';
import type { Family } from './endpoint';
import { callLibrary, LIBRARY_CALLS } from './library-calls';
import { Pool, startServer, WALLET } from './long-lived-clients';
import { callMcp, mcpArguments, MCP_CALLS, McpSession, MediaFolder } from './mcp-calls';
import type { CallOutcome } from './call-outcome';
import { callProxy, PROXIES, PROXY_CALLS, type ProxyKind } from './proxy-calls';
import { ScriptedGateway } from './scripted-gateway';
import type { ToldCall } from './told-lies';

export const SURFACES = ['library', 'command', 'proxy', 'mcp'] as const;
export type Surface = (typeof SURFACES)[number];

/** Call that the bench can make through any surface. */
export interface BenchCall {
  name: string;
  family: Family;
  asks: readonly string[];
}

export const CALLS: Readonly<Record<Surface, readonly BenchCall[]>> = {
  library: LIBRARY_CALLS,
  command: COMMAND_CALLS,
  proxy: PROXY_CALLS,
  mcp: MCP_CALLS,
};

/** Heap limit of the client's process. Without a limit, a leak caused by one answer would show only at the end. */
const HEAP_MIB = 512;
/** Number of servers per surface. Each serves one call at a time, so that its output belongs to that call. */
const SERVERS = 16;

/** Ignores an error of Node's HTTP client that the library cannot catch, because Node throws it outside any call. */
function surviveNode(error: unknown): void {
  if (!isClosedWhilePaused(error)) throw error;
}

type Caller = (told: ToldCall) => Promise<CallOutcome>;

/** The client under attack and the lying gateway. The first attack that needs a part starts it. */
export class ClientBench {
  #gateway: Promise<ScriptedGateway> | null = null;
  #client: ClientProcess | null = null;
  #folder: MediaFolder | null = null;
  /** Servers that run in the current client process. */
  #servers: Partial<Record<Surface, Promise<Caller>>> = {};
  readonly #temporary = mkdtempSync(join(tmpdir(), 'turnpike-client-attack-'));

  constructor() {
    process.on('uncaughtException', surviveNode);
  }

  /**
   * Returns a function that makes calls through a surface. Starts a new process if an attack has ended the previous
   * one.
   */
  async caller(surface: Surface): Promise<Caller> {
    const gateway = await this.gateway();
    if (surface === 'library') return (told) => callLibrary(gateway, told);
    const client = await this.client();
    if (surface === 'command') return (told) => callCommand(gateway, client, told);
    return (this.#servers[surface] ??=
      surface === 'proxy' ? this.#proxies(gateway, client) : this.#mcp(gateway, client));
  }

  gateway(): Promise<ScriptedGateway> {
    return (this.#gateway ??= ScriptedGateway.start());
  }

  async client(): Promise<ClientProcess> {
    if (this.#client !== null && this.#client.fault === null) return this.#client;
    this.#servers = {};
    return (this.#client = await ClientProcess.start(HEAP_MIB));
  }

  async stop(): Promise<void> {
    process.removeListener('uncaughtException', surviveNode);
    await this.#client?.stop();
    await (await this.#gateway)?.stop();
    rmSync(this.#temporary, { recursive: true, force: true });
  }

  async #proxies(gateway: ScriptedGateway, client: ClientProcess): Promise<Caller> {
    const started = async (kind: ProxyKind) =>
      new Pool(
        await Promise.all(
          Array.from({ length: SERVERS }, (_, index) =>
            startServer(gateway, client, `proxy-${kind}-${index}`, PROXIES[kind], WALLET),
          ),
        ),
      );
    const pools = { encrypted: await started('encrypted'), attested: await started('attested') };
    return (told) =>
      pools[PROXY_CALLS.find(({ name }) => name === told.call)?.through ?? 'encrypted'].with((server) =>
        callProxy(gateway, server, told),
      );
  }

  async #mcp(gateway: ScriptedGateway, client: ClientProcess): Promise<Caller> {
    const folder = (this.#folder ??= new MediaFolder(this.#temporary));
    const begun = (index: number) =>
      startServer(gateway, client, `mcp-${index}`, mcpArguments(folder.media), WALLET).then((server) =>
        McpSession.begin(server),
      );
    const pool = new Pool(await Promise.all(Array.from({ length: SERVERS }, (_, index) => begun(index))));
    return (told) => pool.with((session) => callMcp(gateway, session, folder, told));
  }
}
