import { createHash } from 'node:crypto';
import { SANDBOX_USDC_MINT } from '@/lib/protocol/sandbox-contracts';
import type { Account } from './accounts/account';
import { toBase58 } from './address';
import { FaucetKey, faucetTransaction } from './faucet-key';
import type { Ledger, NewLedgerEntry } from './ledger';
import { addressBytes } from './programs';
import { SlotClock } from './slot-clock';
import { accountsOf, type MessageAccounts } from './transaction/accounts';
import { memoOf, recordOf, type Run } from './transaction/record';
import { standsOnNonce } from './transaction/nonce';
import { isWritable, type Transaction } from './transaction/transaction';
import { namedError, type TransactionError, type TransactionErrorJson } from './transaction/transaction-error';
import { MINT_BYTES, usdcMint, usdcTransaction } from './usdc';
import { type Execution, type Simulation, Vm } from './vm';

/** Executed transaction that listeners receive once it is on disk. */
export interface Executed {
  signature: string;
  slot: number;
  error: TransactionErrorJson | null;
  logs: readonly string[];
  addresses: readonly Uint8Array[];
  /** Accounts that the transaction may have changed, in their new state. */
  written: readonly { address: Uint8Array; account: Account | null }[];
}

/** Outcome of a transaction. A refused transaction is not recorded. */
type Outcome =
  | { executed: true; execution: Execution }
  | { executed: false; error: TransactionError; execution: Execution | null };

interface SimulateOptions {
  verifySignatures: boolean;
  /** True to accept any blockhash as recent. */
  anyBlockhash: boolean;
}

interface Pending {
  entry: NewLedgerEntry;
  executed: Executed;
  /** Accounts before the transaction. Restored if the write fails. */
  before: readonly { address: Uint8Array; account: Account | null }[];
}

/**
 * Simulated Solana chain: accounts in LiteSVM, and a ledger of transactions and accounts on disk.
 *
 * A transaction runs immediately and is final. Its data is on disk before `send` or `settled` resolves and before
 * listeners are called. All transactions of one turn of the event loop are written together. If the write fails, its
 * transactions are undone and `send` rejects.
 */
export class SolanaChain {
  readonly clock: SlotClock;
  readonly #vm: Vm;
  readonly #faucet: FaucetKey;
  readonly #listeners = new Set<(executed: Executed) => void>();
  #pending: Pending[] = [];
  #flushing: Promise<void> | undefined;
  #airdrops: number;

  /** @param nowMs clock, which tests replace */
  constructor(
    readonly ledger: Ledger,
    nowMs?: () => number,
  ) {
    const { transactions, newestSlot } = ledger.totals();
    this.clock = new SlotClock(ledger.genesis, newestSlot, nowMs);
    // Continues the numbering of earlier runs' airdrops. Two airdrops with the same number in one slot would be
    // identical messages.
    this.#airdrops = transactions;
    this.#vm = new Vm(this.clock);
    restore(this.#vm, ledger);
    this.#faucet = new FaucetKey(ledger.genesis.seed);
    this.#vm.set(this.#faucet.address, this.#faucet.account);
    // The ledger has the USDC mint only once tokens have been minted. Until then, every start sets the same mint.
    const mint = addressBytes(SANDBOX_USDC_MINT);
    if (this.account(mint) === null)
      this.#vm.set(mint, usdcMint(this.#faucet.address, this.rentExemptMinimum(MINT_BYTES)));
  }

  account(address: Uint8Array): Account | null {
    return this.#vm.account(address);
  }

  owned(program: Uint8Array): { address: Uint8Array; account: Account }[] {
    return this.#vm.owned(program);
  }

  rentExemptMinimum(bytes: number): bigint {
    return this.#vm.rentExemptMinimum(bytes);
  }

  get faucetAddress(): Uint8Array {
    return this.#faucet.address;
  }

  /** Resolves once all executed transactions are on disk or undone. */
  async settled(): Promise<void> {
    await this.#flushing?.catch(() => undefined);
  }

  accountsOf({ message }: Pick<Transaction, 'message'>): MessageAccounts {
    return accountsOf(message, (address) => this.account(address));
  }

  /**
   * Simulates a transaction.
   *
   * @returns an error for a repeated transaction or a blockhash that is not recent
   */
  simulate(transaction: Transaction, { verifySignatures, anyBlockhash }: SimulateOptions): Simulation {
    const refusal = anyBlockhash ? null : this.#refusal(transaction);
    if (refusal) return { error: refusal, logs: [], unitsConsumed: 0n, inner: [], returned: null, accounts: new Map() };
    return this.#vm.simulate(transaction, verifySignatures);
  }

  /**
   * Executes a transaction. A transaction that fails in a program pays its fee and is recorded. A transaction that
   * cannot pay its fee is not recorded.
   *
   * @throws {Error} if the disk refused the write; the transaction is then undone
   */
  async send(transaction: Transaction): Promise<Outcome> {
    const refusal = this.#refusal(transaction);
    if (refusal) return { executed: false, error: refusal, execution: null };
    const accounts = this.accountsOf(transaction);
    const before = accounts.all.map((address) => ({ address, account: this.account(address) }));
    const execution = this.#vm.execute(transaction);
    const after = accounts.all.map((address) => ({ address, account: this.account(address) }));
    const fee = lamportsOf(before) - lamportsOf(after);
    if (execution.error && fee === 0n) return { executed: false, error: execution.error, execution };
    this.#pending.push(this.#pendingOf({ transaction, accounts, before, after, execution, fee }));
    await (this.#flushing ??= this.#flush());
    return { executed: true, execution };
  }

  /**
   * Sends lamports to an address from the faucet.
   *
   * @returns transaction's signature
   * @throws {Error} with the reason for failure
   */
  async airdrop(address: Uint8Array, lamports: bigint): Promise<string> {
    return this.#give((blockhash, memo) => faucetTransaction(this.#faucet, address, lamports, blockhash, memo));
  }

  /**
   * Mints the sandbox's USDC to an owner's associated token account, which it creates if missing. Resolves once the
   * transaction is on disk.
   *
   * @returns transaction's signature
   * @throws {Error} with the reason for failure
   */
  async mintUsdc(owner: Uint8Array, units: bigint): Promise<string> {
    return this.#give((blockhash, memo) => usdcTransaction(this.#faucet, owner, units, blockhash, memo));
  }

  async #give(transactionOf: (blockhash: Uint8Array, memo: string) => Transaction): Promise<string> {
    this.#airdrops += 1;
    const transaction = transactionOf(this.clock.blockhashOf(this.clock.now()), `airdrop ${this.#airdrops}`);
    const outcome = await this.send(transaction);
    const error = outcome.executed ? outcome.execution.error : outcome.error;
    if (error) throw new Error(error.sentence);
    return toBase58(transaction.signatures[0] as Uint8Array);
  }

  /** Calls `listener` for each transaction once it is on disk. @returns a function that unsubscribes */
  onExecuted(listener: (executed: Executed) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Waits for pending writes, then closes the files. */
  async close(): Promise<void> {
    await this.settled();
    this.ledger.close();
  }

  #refusal({ message, messageBytes }: Transaction): TransactionError | null {
    const messageHash = hashOf(messageBytes);
    const isPending = this.#pending.some(({ entry }) => Buffer.compare(entry.messageHash, messageHash) === 0);
    if (isPending || this.ledger.hasMessage(messageHash)) return namedError('AlreadyProcessed');
    const isTimely =
      this.clock.isRecent(message.recentBlockhash) || standsOnNonce(message, (address) => this.account(address));
    return isTimely ? null : namedError('BlockhashNotFound');
  }

  #pendingOf(run: Run): Pending {
    const { transaction, accounts, before, after, execution } = run;
    const slot = this.clock.now();
    const written = after.filter((_, index) => isWritable(transaction.message, index));
    const signature = transaction.signatures[0] as Uint8Array;
    const error = execution.error?.json ?? null;
    const entry: NewLedgerEntry = {
      signature,
      messageHash: hashOf(transaction.messageBytes),
      slot,
      error: error && JSON.stringify(error),
      memo: memoOf(transaction.message),
      wire: transaction.wire,
      ...recordOf(run, (address) => this.account(address)),
      addresses: accounts.all,
      written,
    };
    return {
      entry,
      before,
      executed: { signature: toBase58(signature), slot, error, logs: execution.logs, addresses: accounts.all, written },
    };
  }

  async #flush(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    const batch = this.#pending;
    this.#pending = [];
    this.#flushing = undefined;
    try {
      this.ledger.append(batch.map(({ entry }) => entry));
    } catch (error) {
      for (const { before } of batch.reverse())
        for (const { address, account } of before) this.#vm.set(address, account);
      throw new Error(`The transaction could not be written to disk and was undone: ${(error as Error).message}`, {
        cause: error,
      });
    }
    for (const { executed } of batch) for (const listener of this.#listeners) listener(executed);
  }
}

function lamportsOf(accounts: Run['before']): bigint {
  return accounts.reduce((sum, { account }) => sum + (account?.lamports ?? 0n), 0n);
}

function hashOf(messageBytes: Uint8Array): Buffer {
  return createHash('sha256').update(messageBytes).digest();
}

/** Loads programs last, because LiteSVM reads a program's data account when it loads the program. */
function restore(vm: Vm, ledger: Ledger): void {
  const programs: { address: Uint8Array; account: Account }[] = [];
  for (const { address, account } of ledger.accounts()) {
    if (account.executable) programs.push({ address, account });
    else vm.set(address, account);
  }
  for (const { address, account } of programs) vm.set(address, account);
}
