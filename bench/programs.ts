import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, stopChild } from '@/attack/stage/child-process';
import { createWallets } from './wallets';

const START_TIMEOUT_MS = 60_000;

/** A program under measurement. */
export interface Program {
  pid: number;
  port: number;
  stop(): Promise<void>;
}

/** Starts this benchmark's own program in another role; it reports its port. */
export function startRole(
  role: 'stub' | 'bare' | 'stream-stub' | 'stream-pipe' | 'chunks',
  argument = '',
): Promise<Program> {
  const child = fork(process.argv[1] as string, [`--role=${role}`, argument], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return whenReady(child, (message) => (message as { port: number }).port);
}

/** Starts the sandbox with its stand-ins, in a data folder of its own. */
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

/** A gateway over one upstream, or several with commas between, with its own data folder and callers in it. */
export interface GatewayOptions {
  upstreamUrl: string;
  /** Live unless given. The sandbox has nodes of its own in place of the upstream. */
  profile?: 'live' | 'sandbox';
  /** `fast`: server.ts. `workers`: workers.ts, with `workers` of them in `config`. `next`: the Next server alone. */
  entry: 'fast' | 'workers' | 'next';
  /** To be created in its store; none where it shares one. */
  callers: number;
  /** Callers who sign in with a wallet; none on Postgres. */
  wallets: number;
  /** The Postgres of its store; SQLite in its data folder without it. */
  databaseUrl?: string;
  /** The folder of its built code; this checkout where absent. */
  checkout?: string;
  /** Further settings of its configuration file. */
  config?: object;
  /** Further variables of its environment. */
  env?: Readonly<Record<string, string>>;
}

/** Limits for callers who send as fast as they can: a fast machine reaches those of staff, and an answer of 429 comes sooner than any that is paid for. */
export const UNLIMITED = { rpcRequestsPerMinute: { staff: null }, rpcCreditsPerDay: { staff: null } };

/** A gateway with the keys of its callers, and the sign-in headers of its wallets. */
export interface GatewayProgram extends Program {
  keys: string[];
  signIns: string[];
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
}: GatewayOptions): Promise<GatewayProgram> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-bench-'));
  const port = await freePort();
  writeFileSync(
    join(folder, 'config.json'),
    JSON.stringify({ profile, dataDir: folder, log: { level: 'warn' }, ...config }),
  );
  const env = {
    ...process.env,
    NODE_ENV: 'production' as const,
    // As the launcher starts it.
    MALLOC_MMAP_THRESHOLD_: '2097152',
    HOST: '127.0.0.1',
    PORT: String(port),
    TURNPIKE_CONFIG: join(folder, 'config.json'),
    TURNPIKE_SECRET: 'a benchmark has nothing to hide, ever',
    ...(profile === 'live' && { RPC_ETHEREUM_MAINNET: upstreamUrl }),
    DATABASE_URL: databaseUrl ?? '',
    ...more,
  };
  const create = (): string[] => (callers === 0 ? [] : createCallers(callers, { checkout, env }));
  // A sandbox does not start on a store that has accounts already, and a program that runs takes them at any time.
  const early = profile === 'live' ? create() : null;
  const signIns =
    databaseUrl === undefined && wallets > 0 ? await createWallets(wallets, { dataDir: folder, port }) : [];
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const;
  const child =
    entry !== 'next'
      ? fork(join(checkout, entry === 'workers' ? 'dist/workers.mjs' : 'dist/server.mjs'), [], {
          cwd: checkout,
          env,
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
    stop: async () => {
      await program.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
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
