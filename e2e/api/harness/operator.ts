import { runCommandLine } from '@/lib/server/admin/command-line';
import { repositoryRoot } from './repository-root';

/**
 * Runs operator commands with the environment of one gateway, next to its process and on its database. The commands run
 * in this process, because starting one would take longer than most tests. cli.test.ts tests the command as a process.
 */
export class Operator {
  /**
   * Runs one command at a time. On SQLite, a command that waits for another's lock would block this process, and the
   * lock would never be released.
   */
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly env: Readonly<Record<string, string | undefined>>) {}

  /**
   * Runs a command with `--json`, for example `run('grants add', '--account', '3', '--usd', '1')`.
   * @returns the parsed output
   * @throws Error with the output if the exit code is not 0
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

  /** Creates accounts, each with an INFERENCE key. Amounts are decimal USD. */
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

  /** Adds decimal USD to a wallet's prepaid balance. Creates its account if it has none. */
  prepay(wallet: string, usd: string): Promise<{ accountId: number }> {
    return this.run('grants add', '--wallet', wallet, '--x402', usd);
  }

  /** Returns the balances of all accounts by id, in decimal USD. */
  async balances(): Promise<Map<number, Balances>> {
    const { accounts } = await this.run<{ accounts: (Balances & { id: number })[] }>('accounts list');
    return new Map(
      accounts.map(({ id, diem, bundledCredits, usd, x402 }) => [id, { diem, bundledCredits, usd, x402 }]),
    );
  }

  /** Checks the ledger. @throws Error with the faults */
  async checkLedger(): Promise<{ ok: boolean; accounts: number; rows: number; faults: string[] }> {
    return this.run('ledger check');
  }
}

/** An account and one of its keys. */
export interface Caller {
  accountId: number;
  key: string;
}

export interface NewCallers {
  /** `staff` by default, whose caps are too high to affect tests of something else. */
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
