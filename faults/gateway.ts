import { type ChildProcess, execFile, fork, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, stopChild } from '@/attack/stage/child-process';
import launch from '@/scripts/parts/launch.json';

const START_TIMEOUT_MS = 180_000;
const ANSWER_TIMEOUT_MS = 120_000;
const CALLERS = 16;
const NANO = 1_000_000_000n;

/**
 * Result of a call: status and error code. If the connection ended without an answer, the status is 0 and there is a
 * reason.
 */
export interface Answer {
  status: number;
  code: string;
  ms: number;
  requestId: string;
  retryAfter: string | null;
  /** Error message of a refusal. */
  error: string;
}

export interface Settings {
  upstream: string;
  /** URL of the Postgres database. By default, the gateway uses SQLite in its own folder. */
  databaseUrl?: string;
  dataDir?: string;
  config?: object;
  env?: Readonly<Record<string, string>>;
}

/** Gateway of the live profile, started in the same way as by its launcher. Each caller has 1,000 USD. */
export class Gateway {
  readonly keys: string[] = [];
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
      ...launch.environment,
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

  /** Starts the gateway. Can be called again after the gateway has ended. */
  async start(): Promise<void> {
    const child = fork('dist/server.mjs', [], {
      env: this.env,
      execArgv: launch.arguments,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
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

  /** Reads the balance of an address that no earlier call has read. */
  async call(caller = 0): Promise<Answer> {
    return this.read(caller, ++this.#calls);
  }

  /**
   * Reads the balance of the address with this number.
   * @param idempotencyKey sent with the call, if given
   */
  async read(caller: number, address: number, idempotencyKey?: string): Promise<Answer> {
    const params = [`0x${address.toString(16).padStart(40, '0')}`, 'latest'];
    const started = performance.now();
    try {
      const response = await fetch(`http://127.0.0.1:${this.port}/api/v1/crypto/rpc/ethereum-mainnet`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${this.keys[caller]}`,
          'content-type': 'application/json',
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params }),
        signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      });
      const body = (await response.json()) as { code?: unknown; error?: unknown };
      return {
        status: response.status,
        code: typeof body.code === 'string' ? body.code : '',
        ms: Math.round(performance.now() - started),
        requestId: response.headers.get('x-request-id') ?? '',
        retryAfter: response.headers.get('retry-after'),
        error: typeof body.error === 'string' ? body.error : '',
      };
    } catch (error) {
      return {
        status: 0,
        code: (error as { cause?: { code?: string } }).cause?.code ?? (error as Error).name,
        ms: Math.round(performance.now() - started),
        requestId: '',
        retryAfter: null,
        error: '',
      };
    }
  }

  /**
   * Repeats calls until `isWanted` accepts an answer.
   *
   * @returns the elapsed milliseconds
   */
  async callUntil(isWanted: (answer: Answer) => boolean, withinMs: number): Promise<number> {
    const started = performance.now();
    for (;;) {
      const answer = await this.call();
      if (isWanted(answer)) return Math.round(performance.now() - started);
      if (performance.now() - started > withinMs)
        throw new Error(
          `No call got the expected answer within ${withinMs} ms. The last answer was ${answer.status} ${answer.code}.`,
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

  /** Returns the sum of a metric's series with these labels; null if the metrics cannot be read. */
  async metric(name: string, labels: Readonly<Record<string, string>> = {}): Promise<number | null> {
    const text = await fetch(`http://127.0.0.1:${this.adminPort}/metrics`, {
      signal: AbortSignal.timeout(15_000),
    }).then(
      (response) => response.text(),
      () => null,
    );
    return text === null ? null : sumOf(text, name, labels);
  }

  /** Returns the total charges of all callers, in nano-USD. */
  charged(): bigint {
    const { accounts } = this.admin(['accounts', 'list']) as { accounts: { usd: string }[] };
    return accounts.reduce((sum, { usd }) => sum + 1_000n * NANO - BigInt(usd.replace('.', '')), 0n);
  }

  /** Returns the faults that `ledger check` finds. */
  books(): string[] {
    const { faults } = this.admin(['ledger', 'check'], [0, 1]) as { faults: string[] };
    return faults;
  }

  /**
   * Returns the doctor's verdict on a subject. Does not block this process, because this process also runs the node
   * that the doctor calls.
   */
  async diagnosed(wanted: string): Promise<string | undefined> {
    const stdout = await new Promise<string>((resolve) =>
      execFile(process.execPath, ['dist/admin.mjs', 'doctor', '--json'], { env: this.env }, (_error, out) =>
        resolve(out),
      ),
    );
    const { findings } = JSON.parse(stdout) as { findings: { subject: string; verdict: string }[] };
    return findings.find(({ subject }) => subject === wanted)?.verdict;
  }

  /** Returns resident memory in bytes. */
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

/** Returns the sum of a metric's series with these labels, from Prometheus' text format. */
export function sumOf(text: string, name: string, labels: Readonly<Record<string, string>> = {}): number {
  const series = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  const wanted = series.filter((line) =>
    Object.entries(labels).every(([label, value]) => line.includes(`${label}="${value}"`)),
  );
  return wanted.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}
