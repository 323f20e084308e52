import {
  Account as VmAccount,
  Clock,
  EpochSchedule,
  FailedTransactionMetadata,
  LiteSvm,
  type SimulatedTransactionInfo,
  type TransactionMetadata,
} from 'litesvm/dist/internal.js';
import { type Account, RENT_EXEMPT_EPOCH } from './accounts/account';
import { ADDRESS_LOOKUP_TABLE_PROGRAM, addressBytes } from './programs';
import type { SlotClock } from './slot-clock';
import { type TransactionError, transactionErrorOf } from './transaction/transaction-error';
import type { Transaction } from './transaction/transaction';

export const SLOTS_PER_EPOCH = 432_000;
const SLOT_HASHES = 512;

/** Instruction that a program invoked, with the invocation depth. */
export interface InnerInstruction {
  programIndex: number;
  accounts: readonly number[];
  data: Uint8Array;
  stackHeight: number;
}

export interface Execution {
  error: TransactionError | null;
  logs: readonly string[];
  unitsConsumed: bigint;
  inner: readonly (readonly InnerInstruction[])[];
  returned: { program: Uint8Array; data: Uint8Array } | null;
}

export interface Simulation extends Execution {
  /** Accounts after the run, by address (32 bytes as latin1 text). Empty if the run failed. */
  accounts: ReadonlyMap<string, Account>;
}

export function addressKey(address: Uint8Array): string {
  return Buffer.from(address.buffer, address.byteOffset, address.byteLength).toString('latin1');
}

/**
 * LiteSVM with Solana's default programs. SolanaChain checks blockhashes and stores transactions, because LiteSVM keeps
 * only one blockhash and stores nothing on disk.
 */
export class Vm {
  readonly #svm = new LiteSvm();
  #syncedSlot = -1;
  #slotHashesSlot = -1;
  #verifies = true;

  constructor(private readonly clock: SlotClock) {
    this.#svm.setTransactionHistory(0n);
    this.#svm.setBlockhashCheck(false);
    this.#svm.withNativeMints();
    this.#svm.setEpochSchedule(new EpochSchedule(BigInt(SLOTS_PER_EPOCH), BigInt(SLOTS_PER_EPOCH), false, 0n, 0n));
  }

  account(address: Uint8Array): Account | null {
    const account = this.#svm.getAccount(address);
    return account === null || account.lamports() === 0n ? null : fromVm(account);
  }

  balance(address: Uint8Array): bigint {
    return this.#svm.getBalance(address) ?? 0n;
  }

  owned(program: Uint8Array): { address: Uint8Array; account: Account }[] {
    return this.#svm
      .getProgramAccounts(program)
      .map((entry) => ({ address: entry.address, account: fromVm(entry.account()) }));
  }

  rentExemptMinimum(bytes: number): bigint {
    return this.#svm.minimumBalanceForRentExemption(BigInt(bytes));
  }

  /** Null removes the account. */
  set(address: Uint8Array, account: Account | null): void {
    const { lamports, data, owner, executable } = account ?? {
      lamports: 0n,
      data: new Uint8Array(),
      owner: new Uint8Array(32),
      executable: false,
    };
    this.#svm.setAccount(address, new VmAccount(lamports, data, owner, executable, RENT_EXEMPT_EPOCH));
  }

  /** Runs a transaction and keeps its effects. Checks signatures. */
  execute(transaction: Transaction): Execution {
    this.#sync(transaction, true);
    return executionOf(this.#svm.sendVersionedTransaction(transaction.wire));
  }

  /** Runs a transaction and discards its effects. */
  simulate(transaction: Transaction, verifySignatures: boolean): Simulation {
    this.#sync(transaction, verifySignatures);
    const result = this.#svm.simulateVersionedTransaction(transaction.wire);
    if (result instanceof FailedTransactionMetadata) return { ...executionOf(result), accounts: new Map() };
    return { ...executionOf(result.meta()), accounts: accountsOf(result) };
  }

  #sync(transaction: Transaction, verifySignatures: boolean): void {
    if (verifySignatures !== this.#verifies) this.#svm.setSigverify((this.#verifies = verifySignatures));
    const slot = this.clock.now();
    if (slot !== this.#syncedSlot) this.#setClock(slot);
    if (slot !== this.#slotHashesSlot && usesLookupTables(transaction)) this.#setSlotHashes(slot);
  }

  #setClock(slot: number): void {
    const epoch = Math.floor(slot / SLOTS_PER_EPOCH);
    const epochStart = this.clock.timeOf(epoch * SLOTS_PER_EPOCH);
    this.#svm.setClock(
      new Clock(BigInt(slot), BigInt(epochStart), BigInt(epoch), BigInt(epoch + 1), BigInt(this.clock.timeOf(slot))),
    );
    this.#syncedSlot = slot;
  }

  #setSlotHashes(slot: number): void {
    const count = Math.min(SLOT_HASHES, slot);
    const hashes = Array.from({ length: count }, (_, index) => ({
      slot: BigInt(slot - 1 - index),
      hash: this.clock.blockhashText(slot - 1 - index),
    }));
    this.#svm.setSlotHashes(hashes);
    this.#slotHashesSlot = slot;
  }
}

function usesLookupTables({ message: { lookups, staticAddresses } }: Transaction): boolean {
  const program = addressBytes(ADDRESS_LOOKUP_TABLE_PROGRAM);
  return lookups.length > 0 || staticAddresses.some((address) => Buffer.compare(address, program) === 0);
}

function executionOf(result: TransactionMetadata | FailedTransactionMetadata): Execution {
  const failed = result instanceof FailedTransactionMetadata;
  const meta = failed ? result.meta() : result;
  const returned = meta.returnData();
  const data = returned.data();
  return {
    error: failed ? transactionErrorOf(result) : null,
    logs: meta.logs(),
    unitsConsumed: meta.computeUnitsConsumed(),
    inner: meta.innerInstructions().map((group) =>
      group.map((entry) => {
        const instruction = entry.instruction();
        return {
          programIndex: instruction.programIdIndex(),
          accounts: [...instruction.accounts()],
          data: instruction.data(),
          stackHeight: entry.stackHeight(),
        };
      }),
    ),
    returned: data.length > 0 ? { program: returned.programId(), data } : null,
  };
}

function accountsOf(simulated: SimulatedTransactionInfo): ReadonlyMap<string, Account> {
  return new Map(simulated.postAccounts().map((entry) => [addressKey(entry.address), fromVm(entry.account())]));
}

function fromVm(account: VmAccount): Account {
  return {
    lamports: account.lamports(),
    data: account.data(),
    owner: account.owner(),
    executable: account.executable(),
  };
}
