import { ADDRESS_BYTES } from '../address';

export class WireFormatError extends Error {
  override readonly name = 'WireFormatError';
}

class WireReader {
  #at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  get position(): number {
    return this.#at;
  }

  /** @throws {WireFormatError} at the end of the bytes */
  byte(): number {
    const value = this.bytes[this.#at];
    if (value === undefined) throw new WireFormatError('failed to fill whole buffer');
    this.#at += 1;
    return value;
  }

  /** @throws {WireFormatError} if fewer bytes are left */
  take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.bytes.length) throw new WireFormatError('failed to fill whole buffer');
    const part = this.bytes.subarray(this.#at, end);
    this.#at = end;
    return part;
  }

  /** Reads a compact-u16: seven bits per byte, low bits first. Rejects encodings longer than necessary. */
  compactLength(): number {
    let value = 0;
    for (let index = 0; index < 3; index += 1) {
      const byte = this.byte();
      value |= (byte & 0x7f) << (7 * index);
      if ((byte & 0x80) !== 0) continue;
      if (byte === 0 && index > 0) throw new WireFormatError('a length is written longer than it needs to be');
      if (value > 0xffff) break;
      return value;
    }
    throw new WireFormatError('a length does not fit 16 bits');
  }

  list<Item>(readItem: () => Item): Item[] {
    return Array.from({ length: this.compactLength() }, readItem);
  }
}

/** Instruction of a message. Its indices point into all accounts, including those from lookup tables. */
export interface Instruction {
  programIndex: number;
  accounts: readonly number[];
  data: Uint8Array;
}

/** Accounts that a version 0 message loads from one lookup table. */
interface TableLookup {
  table: Uint8Array;
  writable: readonly number[];
  readonly: readonly number[];
}

export interface Message {
  version: 'legacy' | 0;
  signers: number;
  readonlySigners: number;
  readonlyOthers: number;
  staticAddresses: readonly Uint8Array[];
  recentBlockhash: Uint8Array;
  instructions: readonly Instruction[];
  lookups: readonly TableLookup[];
}

export interface Transaction {
  /** Bytes of the transaction, without any bytes after its end. */
  wire: Uint8Array;
  signatures: readonly Uint8Array[];
  message: Message;
  /** Bytes that the signatures cover. */
  messageBytes: Uint8Array;
}

/** Thrown for a well-formed but invalid transaction, such as an index out of range. */
export class SanitizeError extends Error {
  override readonly name = 'SanitizeError';
}

/** Maximum size of a transaction: one network packet. */
export const TRANSACTION_BYTES_MAX = 1_232;
const SIGNATURE_BYTES = 64;
const ACCOUNTS_MAX = 256;

/**
 * Parses a signed legacy or version 0 transaction. Performs all checks that do not need the chain's state, because the
 * virtual machine aborts the process on invalid bytes.
 *
 * @throws {WireFormatError | SanitizeError}
 */
export function decodeTransaction(bytes: Uint8Array): Transaction {
  const reader = new WireReader(bytes);
  const signatures = reader.list(() => reader.take(SIGNATURE_BYTES));
  const messageStart = reader.position;
  const message = readMessage(reader);
  const wire = bytes.subarray(0, reader.position);
  if (signatures.length !== message.signers)
    throw new SanitizeError('the number of signatures is not the number of signers');
  return { wire, signatures, message, messageBytes: wire.subarray(messageStart) };
}

/**
 * Parses a message without signatures, for fee queries.
 *
 * @throws {WireFormatError | SanitizeError}
 */
export function decodeMessage(bytes: Uint8Array): Message {
  return readMessage(new WireReader(bytes));
}

/** Returns whether the message requests write access to the account at this index. */
export function isWritable(message: Message, index: number): boolean {
  const { signers, readonlySigners, readonlyOthers, staticAddresses, lookups } = message;
  if (index < signers) return index < signers - readonlySigners;
  if (index < staticAddresses.length) return index < staticAddresses.length - readonlyOthers;
  const writableLoaded = lookups.reduce((count, { writable }) => count + writable.length, 0);
  return index < staticAddresses.length + writableLoaded;
}

function readMessage(reader: WireReader): Message {
  const first = reader.byte();
  const isLegacy = (first & 0x80) === 0;
  if (!isLegacy && first !== 0x80)
    throw new WireFormatError(`transaction version ${first & 0x7f} is not supported, only legacy and 0 are`);
  const message: Message = {
    version: isLegacy ? 'legacy' : 0,
    signers: isLegacy ? first : reader.byte(),
    readonlySigners: reader.byte(),
    readonlyOthers: reader.byte(),
    staticAddresses: reader.list(() => reader.take(ADDRESS_BYTES)),
    recentBlockhash: reader.take(ADDRESS_BYTES),
    instructions: reader.list(() => ({
      programIndex: reader.byte(),
      accounts: [...reader.take(reader.compactLength())],
      data: reader.take(reader.compactLength()),
    })),
    lookups: isLegacy ? [] : reader.list(() => readLookup(reader)),
  };
  sanitize(message);
  return message;
}

function readLookup(reader: WireReader): TableLookup {
  return {
    table: reader.take(ADDRESS_BYTES),
    writable: [...reader.take(reader.compactLength())],
    readonly: [...reader.take(reader.compactLength())],
  };
}

function sanitize({ signers, readonlySigners, readonlyOthers, staticAddresses, instructions, lookups }: Message): void {
  const loaded = lookups.reduce((count, { writable, readonly }) => count + writable.length + readonly.length, 0);
  const accounts = staticAddresses.length + loaded;
  if (readonlySigners >= signers) throw new SanitizeError('there is no writable signer to pay the fee');
  if (signers + readonlyOthers > staticAddresses.length)
    throw new SanitizeError('the header counts more accounts than the transaction has');
  if (accounts > ACCOUNTS_MAX) throw new SanitizeError(`there are more than ${ACCOUNTS_MAX} accounts`);
  if (lookups.some(({ writable, readonly }) => writable.length + readonly.length === 0))
    throw new SanitizeError('a table lookup loads nothing');
  for (const instruction of instructions) {
    if (instruction.programIndex === 0) throw new SanitizeError('an instruction calls the fee payer');
    if (instruction.programIndex >= staticAddresses.length)
      throw new SanitizeError('an instruction calls a program outside the static accounts');
    if (instruction.accounts.some((index) => index >= accounts))
      throw new SanitizeError('an instruction refers to an account that is not in the transaction');
  }
}
