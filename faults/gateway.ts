import { type ChildProcess, execFile, fork, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, stopChild } from '@/attack/stage/child-process';

const START_TIMEOUT_MS = 180_000;
const ANSWER_TIMEOUT_MS = 120_000;
const CALLERS = 16;
const NANO = 1_000_000_000n;

/** What a caller got: a status, and the code of an error; 0 and why where the connection ended without an answer. */
export interface Answer {
  status: number;
  code: string;
  ms: number;
}

export interface Settings {
  upstream: string;
  /** SQLite in a folder of its own without it. */
  databaseUrl?: string;
  dataDir?: string;
  config?: object;
  env?: Readonly<Record<string, string>>;
}

/** A gateway of the live profile, as its launcher starts it, with callers who have 1,000 USD each. */
export class Gateway {
  readonly keys: string[] = [];
  /** What it has logged, a line each. */
  readonly log: string[] = [];
  #child: ChildProcess | null = null;
  #calls = 0;

  private constructor(
    readonly folder: string,
    readonly port: number,
    private readonly adminPort: number,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  static async start({ upstream, databaseUrl, dataDir, config, env }: Settings): Promise<Gateway> {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-faults-'));
    const [port, adminPort] = [await freePort(), await freePort()];
    const settings = {
      profile: 'live',
      dataDir: dataDir ?? join(folder, 'data'),
      drain: { delaySeconds: 0, timeoutSeconds: 60 },
      networks: { 'ethereum-mainnet': { upstreams: [upstream] } },
      ...config,
    };
    writeFileSync(join(folder, 'config.json'), JSON.stringify(settings));
    const gateway = new Gateway(folder, port, adminPort, {
      ...process.env,
      NODE_ENV: 'production',
      MALLOC_MMAP_THRESHOLD_: '2097152',
      HOST: '127.0.0.1',
      PORT: String(port),
      ADMIN_PORT: String(adminPort),
      TURNPIKE_CONFIG: join(folder, 'config.json'),
      TURNPIKE_SECRET: 'faults are made and seen on the loopback alone',
      DATABASE_URL: databaseUrl ?? '',
      RPC_ETHEREUM_MAINNET: '',
      ...env,
    });
    const { accounts } = gateway.admin([
      'accounts',
      'create',
      '--label',
      'caller',
      '--tier',
      'staff',
      '--usd',
      '1000',
      '--count',
      String(CALLERS),
      '--keys',
    ]) as { accounts: { apiKey: string }[] };
    gateway.keys.push(...accounts.map(({ apiKey }) => apiKey));
    await gateway.start();
    return gateway;
  }

  /** Starts it, also again after it ended. */
  async start(): Promise<void> {
    const child = fork('dist/server.mjs', [], { env: this.env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    this.#child = child;
    let rest = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split('\n');
      rest = lines.pop() ?? '';
      this.log.push(...lines);
    });
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('The gateway did not start in time.')), START_TIMEOUT_MS);
      child.once('exit', (code) =>
        reject(new Error(`The gateway ended with code ${code} instead of starting: ${this.log.slice(-3).join(' ')}`)),
      );
      child.once('message', () => {
        clearTimeout(timer);
        child.removeAllListeners('exit');
        resolve();
      });
    });
  }

  /** Sends a signal. @returns the exit code, null after SIGKILL */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child as ChildProcess;
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.kill(signal);
    return ended;
  }

  async remove(): Promise<void> {
    if (this.#child) await stopChild(this.#child);
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A call of a caller: what a node has to be asked for each time. */
  async call(caller = 0): Promise<Answer> {
    const params = [`0x${(++this.#calls).toString(16).padStart(40, '0')}`, 'latest'];
    const started = performance.now();
    try {
      const response = await fetch(`http://127.0.0.1:${this.port}/api/v1/crypto/rpc/ethereum-mainnet`, {
        method: 'POST',
        headers: { authorization: `Bearer ${this.keys[caller]}`, 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params }),
        signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      });
      const body = (await response.json()) as { code?: string; error?: { code?: unknown } };
      return {
        status: response.status,
        code: typeof body.code === 'string' ? body.code : '',
        ms: Math.round(performance.now() - started),
      };
    } catch (error) {
      return {
        status: 0,
        code: (error as { cause?: { code?: string } }).cause?.code ?? (error as Error).name,
        ms: Math.round(performance.now() - started),
      };
    }
  }

  /** Calls until one is answered as wanted. @returns how long that took, in milliseconds */
  async callUntil(isWanted: (answer: Answer) => boolean, withinMs: number): Promise<number> {
    const started = performance.now();
    for (;;) {
      const answer = await this.call();
      if (isWanted(answer)) return Math.round(performance.now() - started);
      if (performance.now() - started > withinMs)
        throw new Error(
          `Within ${withinMs} ms no call was answered as it should be; the last was ${answer.status} ${answer.code}.`,
        );
      await sleep(250);
    }
  }

  async status(path: string): Promise<number> {
    return fetch(`http://127.0.0.1:${this.port}${path}`, { signal: AbortSignal.timeout(15_000) }).then(
      async (response) => {
        await response.text();
        return response.status;
      },
      () => 0,
    );
  }

  async text(path: string): Promise<string> {
    return (await fetch(`http://127.0.0.1:${this.port}${path}`)).text();
  }

  /** The sum of a metric over all its series that have these labels, as Prometheus reads it; null where it cannot be read. */
  async metric(name: string, labels: Readonly<Record<string, string>> = {}): Promise<number | null> {
    const text = await fetch(`http://127.0.0.1:${this.adminPort}/metrics`, {
      signal: AbortSignal.timeout(15_000),
    }).then(
      (response) => response.text(),
      () => null,
    );
    return text === null ? null : sumOf(text, name, labels);
  }

  /** What all callers have been charged, in nano-USD. */
  charged(): bigint {
    const { accounts } = this.admin(['accounts', 'list']) as { accounts: { usd: string }[] };
    return accounts.reduce((sum, { usd }) => sum + 1_000n * NANO - BigInt(usd.replace('.', '')), 0n);
  }

  /** What ledger check finds. */
  books(): string[] {
    const { faults } = this.admin(['ledger', 'check'], [0, 1]) as { faults: string[] };
    return faults;
  }

  /** The doctor's verdict on a subject. This process goes on meanwhile, since the doctor asks its node. */
  async diagnosed(wanted: string): Promise<string | undefined> {
    const stdout = await new Promise<string>((resolve) =>
      execFile(process.execPath, ['dist/admin.mjs', 'doctor', '--json'], { env: this.env }, (_error, out) =>
        resolve(out),
      ),
    );
    const { findings } = JSON.parse(stdout) as { findings: { subject: string; verdict: string }[] };
    return findings.find(({ subject }) => subject === wanted)?.verdict;
  }

  /** Resident memory, in bytes. */
  rss(): number {
    const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${this.#child?.pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) * 1024;
  }

  admin(words: readonly string[], codes: readonly number[] = [0]): unknown {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/admin.mjs', ...words, '--json'], {
      env: this.env,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    });
    if (!codes.includes(status ?? -1))
      throw new Error(`admin ${words.join(' ')} ended with ${status}: ${stdout}${stderr}`);
    return JSON.parse(stdout);
  }
}

/** Adds up the series of a metric that have these labels, in Prometheus' text format. */
export function sumOf(text: string, name: string, labels: Readonly<Record<string, string>> = {}): number {
  const series = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  const wanted = series.filter((line) =>
    Object.entries(labels).every(([label, value]) => line.includes(`${label}="${value}"`)),
  );
  return wanted.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}
