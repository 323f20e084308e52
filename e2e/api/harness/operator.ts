import { runCommandLine } from '@/lib/server/admin/command-line';
import { repositoryRoot } from './repository-root';

/**
 * The operator's command line, in the environment of one gateway: beside its process, on its database, and without a
 * process of its own, whose start would take longer than most tests. That it runs as one, cli.test.ts shows.
 */
export class Operator {
  /** One command after another: on SQLite, one that waits for another's lock would keep this process from ever freeing it. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly env: Readonly<Record<string, string | undefined>>) {}

  /**
   * Runs a command with `--json`, as `run('grants add', '--account', '3', '--usd', '1')`.
   * @returns what it printed, parsed.
   * @throws Error with what it printed, where its exit code is not 0.
   */
  run<T>(command: string, ...options: string[]): Promise<T> {
    const ran = this.#last.then(() => this.#run<T>(command, options));
    this.#last = ran.catch(() => undefined);
    return ran;
  }

  async #run<T>(command: string, options: string[]): Promise<T> {
    const printed = { out: '', err: '' };
    const exitCode = await runCommandLine([...command.split(' '), ...options, '--json'], {
      env: this.env,
      cwd: repositoryRoot,
      out: (text) => void (printed.out += text),
      err: (text) => void (printed.err += text),
    });
    if (exitCode !== 0) throw new Error(`"${command}" failed: ${printed.err || printed.out}`);
    return JSON.parse(printed.out) as T;
  }

  /** Creates accounts with an INFERENCE key each. Amounts are decimal strings of USD. */
  async createCallers(count: number, { tier = 'staff', usd = '1', bundled }: NewCallers = {}): Promise<Caller[]> {
    const money = [...(usd === '0' ? [] : ['--usd', usd]), ...(bundled === undefined ? [] : ['--bundled', bundled])];
    const options = ['--label', 'contract', '--tier', tier, ...money, '--count', String(count), '--keys'];
    const { accounts } = await this.run<{ accounts: { id: number; apiKey: string }[] }>('accounts create', ...options);
    return accounts.map(({ id, apiKey }) => ({ accountId: id, key: apiKey }));
  }

  /** Creates one account with a key. */
  async createCaller(options: NewCallers = {}): Promise<Caller> {
    const [caller] = await this.createCallers(1, options);
    return caller as Caller;
  }

  /** Creates another key of an account. */
  createKey(accountId: number, ...options: string[]): Promise<{ id: number; apiKey: string }> {
    return this.run('keys create', '--account', String(accountId), ...options);
  }

  /** Adds to what a wallet has prepaid, in a decimal string of USD; its account is made where it has none. */
  prepay(wallet: string, usd: string): Promise<{ accountId: number }> {
    return this.run('grants add', '--wallet', wallet, '--x402', usd);
  }

  /** The balance of the balances of every account, by its id, in decimal USD. */
  async balances(): Promise<Map<number, Balances>> {
    const { accounts } = await this.run<{ accounts: (Balances & { id: number })[] }>('accounts list');
    return new Map(
      accounts.map(({ id, diem, bundledCredits, usd, x402 }) => [id, { diem, bundledCredits, usd, x402 }]),
    );
  }

  /** Returns whether the books agree; throws with the faults if they do not. */
  async checkLedger(): Promise<{ ok: boolean; accounts: number; rows: number; faults: string[] }> {
    return this.run('ledger check');
  }
}

/** An account and a key of it. */
export interface Caller {
  accountId: number;
  key: string;
}

export interface NewCallers {
  /** Staff unless given: its caps are out of the way of a test that is about something else. */
  tier?: 'standard' | 'paid' | 'staff';
  usd?: string;
  bundled?: string;
}

export interface Balances {
  diem: string;
  bundledCredits: string;
  usd: string;
  x402: string;
}
