import { fork, spawnSync } from 'node:child_process';
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, stopChild } from './child-process';

const START_TIMEOUT_MS = 120_000;

/** Child process that reports by IPC that it is ready, and ends when this process ends. */
export interface Started {
  pid: number;
  url: string;
  stop(): Promise<void>;
}

/** Settings in this process's environment that must not reach the gateways under attack. */
const FOREIGN = /^(TURNPIKE_.*|SANDBOX_.*|RPC_.*|PORT|HOST|PUBLIC_URL|LOG_LEVEL|NODE_ENV|DATABASE_URL|PG[A-Z]+)$/;

/** Returns this process's environment without gateway settings, plus `settings`. */
export function environmentOf(settings: Record<string, string>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !FOREIGN.test(name) || name === 'TURNPIKE_TEST_RUN');
  return {
    ...Object.fromEntries(inherited),
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    ...settings,
  } as NodeJS.ProcessEnv;
}

export async function startStandIns(folder: string): Promise<Started> {
  return startProgram(
    'dist/sandbox.mjs',
    environmentOf({ SANDBOX_PORT: '0', SANDBOX_DATA_DIR: join(folder, 'stand-ins') }),
    join(folder, 'stand-ins.log'),
  );
}

interface GatewayOptions {
  folder: string;
  profile: 'sandbox' | 'live';
  config: object;
  env?: Record<string, string>;
}

/** Gateway with API keys that have a balance. */
interface StartedGateway extends Started {
  dataDir: string;
  keys: string[];
  /** Stops the gateway if it runs, and starts it again with the same port and data. */
  restart(): Promise<void>;
  grant(wallet: string): void;
}

const KEYS = 4;

/** Starts the built gateway with some callers in its store. */
export async function startGateway({
  folder,
  profile,
  config,
  env: more = {},
}: GatewayOptions): Promise<StartedGateway> {
  const dataDir = join(folder, 'data');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'turnpike.config.json'), JSON.stringify({ profile, ...config }));
  const port = await freePort();
  const settings = {
    HOST: '127.0.0.1',
    PORT: String(port),
    TURNPIKE_CONFIG: join(folder, 'turnpike.config.json'),
    TURNPIKE_DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    ...more,
  };
  const env = environmentOf(settings);
  // Marks the profile before the first start. The gateway would otherwise attribute an unmarked database with accounts
  // to the other profile.
  admin(['database', 'mark', '--profile', profile], env);
  const keys = createCallers(env);
  const start = () => startProgram('dist/server.mjs', env, join(folder, 'gateway.log'));
  let running = await start();
  return {
    get pid() {
      return running.pid;
    },
    url: running.url,
    dataDir,
    keys,
    stop: () => running.stop(),
    grant: (wallet) => void admin(['grants', 'add', '--wallet', wallet, '--usd', '1'], env),
    restart: async () => {
      await running.stop();
      running = await start();
    },
  };
}

function createCallers(env: NodeJS.ProcessEnv): string[] {
  const words = [
    'accounts',
    'create',
    '--label',
    'attack',
    '--tier',
    'staff',
    '--usd',
    '1000',
    '--count',
    String(KEYS),
    '--keys',
    '--json',
  ];
  return (JSON.parse(admin(words, env)) as { accounts: { apiKey: string }[] }).accounts.map(({ apiKey }) => apiKey);
}

/** Returns the output of an operator's command. */
function admin(words: readonly string[], env: NodeJS.ProcessEnv): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/admin.mjs', ...words], {
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The operator's command failed: ${stderr || stdout}`);
  return stdout;
}

function startProgram(file: string, env: NodeJS.ProcessEnv, logFile: string): Promise<Started> {
  const child = fork(file, [], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  const log = createWriteStream(logFile, { flags: 'a' });
  child.stdout?.pipe(log);
  child.stderr?.pipe(log);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`${file} did not start in time: see ${logFile}.`)),
      START_TIMEOUT_MS,
    );
    child.once('exit', (code) =>
      reject(new Error(`${file} ended with code ${code} instead of starting: see ${logFile}.`)),
    );
    child.on('message', (message: { type?: string; url?: string }) => {
      if (message.type !== 'ready' || message.url === undefined) return;
      clearTimeout(timer);
      resolve({ pid: child.pid as number, url: message.url, stop: () => stopChild(child) });
    });
  });
}
