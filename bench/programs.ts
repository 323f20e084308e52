import { type ChildProcess, execFile, fork, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort, stopChild } from '@/attack/stage/child-process';
import { createWallets } from './wallets';

const START_TIMEOUT_MS = 60_000;

/** Program to measure. */
export interface Program {
  pid: number;
  port: number;
  stop(): Promise<void>;
}

/** Starts this benchmark's program in another role. The child reports its port. */
export function startRole(
  role: 'stub' | 'bare' | 'stream-stub' | 'stream-pipe' | 'chunks',
  argument = '',
): Promise<Program> {
  const child = fork(process.argv[1] as string, [`--role=${role}`, argument], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return whenReady(child, (message) => (message as { port: number }).port);
}

/** Starts the sandbox with its own data folder. */
export async function startSandbox(): Promise<Program> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-bench-sandbox-'));
  const env = { ...process.env, SANDBOX_PORT: '0', SANDBOX_DATA_DIR: folder };
  const child = fork('dist/sandbox.mjs', [], { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const program = await whenReady(child, (message) => Number(new URL((message as { url: string }).url).port));
  return {
    ...program,
    stop: async () => {
      await program.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Settings of a gateway with its own data folder and callers. `upstreamUrl` may have several URLs, separated by commas.
 */
export interface GatewayOptions {
  upstreamUrl: string;
  /** `live` by default. `sandbox` uses the sandbox's nodes in place of the upstream. */
  profile?: 'live' | 'sandbox';
  /**
   * `fast`: server.ts. `workers`: workers.ts, with the number of `workers` in `config`. `next`: only the Next server.
   */
  entry: 'fast' | 'workers' | 'next';
  /** Number of callers to create in the gateway's store; 0 if the store is shared. */
  callers: number;
  /** Number of callers who sign in with a wallet; 0 on Postgres. */
  wallets: number;
  /** Postgres database of the gateway's store. By default, SQLite in its data folder. */
  databaseUrl?: string;
  /** Folder of the built code; by default this checkout. */
  checkout?: string;
  /** Settings to add to the gateway's configuration file. */
  config?: object;
  /** Environment variables to add. */
  env?: Readonly<Record<string, string>>;
  /** Fills the data folder before the gateway starts. */
  books?: (dataDir: string) => Promise<void>;
}

/**
 * Limits for callers who send requests without pauses. On a fast machine they would reach the staff limits, and a 429
 * answer takes less time than a paid one.
 */
export const UNLIMITED = { rpcRequestsPerMinute: { staff: null }, rpcCreditsPerDay: { staff: null } };

/** Gateway with its callers' API keys and its wallets' sign-in headers. */
export interface GatewayProgram extends Program {
  keys: string[];
  signIns: string[];
  dataDir: string;
  /** Runs an admin command. @returns what it printed */
  admin(...words: string[]): Promise<string>;
  /** Ends the process. Its data remain until `stop` is called. */
  end(): Promise<void>;
}

export async function startGateway({
  upstreamUrl,
  entry,
  callers,
  wallets,
  databaseUrl,
  checkout = '.',
  profile = 'live',
  config,
  env: more,
  books,
}: GatewayOptions): Promise<GatewayProgram> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-bench-'));
  const port = await freePort();
  const launch = launchOf(checkout);
  writeFileSync(
    join(folder, 'config.json'),
    JSON.stringify({ profile, dataDir: folder, log: { level: 'warn' }, ...config }),
  );
  const env = {
    ...process.env,
    NODE_ENV: 'production' as const,
    ...launch.environment,
    HOST: '127.0.0.1',
    PORT: String(port),
    TURNPIKE_CONFIG: join(folder, 'config.json'),
    TURNPIKE_SECRET: 'a benchmark has nothing to hide, ever',
    ...(profile === 'live' && { RPC_ETHEREUM_MAINNET: upstreamUrl }),
    DATABASE_URL: databaseUrl ?? '',
    ...more,
  };
  const create = (): string[] => (callers === 0 ? [] : createCallers(callers, { checkout, env }));
  // A sandbox refuses to start on a store that already has accounts, so its callers are created after the start.
  const early = profile === 'live' ? create() : null;
  await books?.(folder);
  const signIns =
    databaseUrl === undefined && wallets > 0 ? await createWallets(wallets, { dataDir: folder, port }) : [];
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const;
  const child =
    entry !== 'next'
      ? fork(join(checkout, entry === 'workers' ? 'dist/workers.mjs' : 'dist/server.mjs'), [], {
          cwd: checkout,
          env,
          execArgv: launch.arguments,
          stdio: [...stdio],
        })
      : fork(join(checkout, 'node_modules/next/dist/bin/next'), ['start', '-H', '127.0.0.1', '-p', String(port)], {
          cwd: checkout,
          env,
          stdio: [...stdio],
        });
  const program = entry !== 'next' ? await whenReady(child, () => port) : await whenHealthy(child, port);
  return {
    ...program,
    keys: early ?? create(),
    signIns,
    dataDir: folder,
    admin: (...words) =>
      new Promise((resolve) =>
        execFile(process.execPath, ['dist/admin.mjs', ...words], { cwd: checkout, env }, (_error, stdout, stderr) =>
          resolve(`${stdout}${stderr}`),
        ),
      ),
    end: () => program.stop(),
    stop: async () => {
      await program.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns how a checkout starts its own gateway. Checkouts before 0.3 have no launch.json. */
function launchOf(checkout: string): { arguments: string[]; environment: Record<string, string> } {
  const file = resolve(checkout, 'scripts/parts/launch.json');
  if (!existsSync(file)) return { arguments: [], environment: { MALLOC_MMAP_THRESHOLD_: '2097152' } };
  return JSON.parse(readFileSync(file, 'utf8')) as ReturnType<typeof launchOf>;
}

function createCallers(count: number, { checkout, env }: { checkout: string; env: NodeJS.ProcessEnv }): string[] {
  const words = [
    'accounts',
    'create',
    '--label',
    'bench',
    '--tier',
    'staff',
    '--usd',
    '1000',
    '--count',
    String(count),
    '--keys',
    '--json',
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/admin.mjs', ...words], {
    cwd: checkout,
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`The callers could not be created: ${stderr || stdout}`);
  return (JSON.parse(stdout) as { accounts: { apiKey: string }[] }).accounts.map(({ apiKey }) => apiKey);
}

function whenReady(child: ChildProcess, portOf: (message: unknown) => number): Promise<Program> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('A program did not start in time.')), START_TIMEOUT_MS);
    child.once('exit', (code) => reject(new Error(`A program ended with code ${code} instead of starting.`)));
    child.once('message', (message) => {
      clearTimeout(timer);
      resolve({ pid: child.pid as number, port: portOf(message), stop: () => stopChild(child) });
    });
  });
}

async function whenHealthy(child: ChildProcess, port: number): Promise<Program> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const response = await fetch(`http://127.0.0.1:${port}/api/health`).catch(() => null);
    if (response?.ok) return { pid: child.pid as number, port, stop: () => stopChild(child) };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await stopChild(child);
  throw new Error('The Next server did not start in time.');
}
