import { base58 } from '@scure/base';
import { InvalidPayment } from '@/lib/protocol/x402/presented-payment';

/** A message of the two kinds that nodes are asked for, which names all of its accounts. */
export interface TransactionMessage {
  header: { numSignerAccounts: number; numReadonlySignerAccounts: number };
  /** Base58. */
  staticAccounts: readonly string[];
  /** The blockhash, in base58. */
  lifetimeToken: string;
  instructions: readonly CompiledInstruction[];
}

/** An instruction whose program and accounts are places among the accounts of its message. */
export interface CompiledInstruction {
  programAddressIndex: number;
  accountIndices: readonly number[];
  data: Buffer;
}

const VERSION_BIT = 0x80;
const WORD_BYTES = 32;
/** A length has at most 16 bits, seven to a byte. */
const LENGTH_SHIFT_MAX = 14;
const LENGTH_MAX = 0xffff;

/**
 * Reads the message of a transaction, legacy or of version 0, in its one encoding: lengths in as few bytes as they take,
 * and nothing after the end. One payment must be one message.
 * @throws InvalidPayment
 */
export function readTransactionMessage(bytes: Uint8Array): TransactionMessage {
  const reader = new MessageReader(bytes);
  const first = reader.byte();
  const isLegacy = first < VERSION_BIT;
  if (first > VERSION_BIT) throw invalid(`Messages of version ${first - VERSION_BIT} are not taken: use version 0.`);
  const numSignerAccounts = isLegacy ? first : reader.byte();
  const numReadonlySignerAccounts = reader.byte();
  // Read-only accounts that do not sign are as many as this says; payments do not depend on it.
  reader.byte();
  const staticAccounts = reader.list(() => base58.encode(reader.bytes(WORD_BYTES)));
  const lifetimeToken = base58.encode(reader.bytes(WORD_BYTES));
  const instructions = reader.list(() => ({
    programAddressIndex: reader.byte(),
    accountIndices: [...reader.bytes(reader.length())],
    data: reader.bytes(reader.length()),
  }));
  if (!isLegacy && reader.length() > 0)
    throw new InvalidPayment(
      'lookup_tables',
      'The transaction takes accounts from look-up tables, which may change: name all of its accounts.',
    );
  reader.end();
  return { header: { numSignerAccounts, numReadonlySignerAccounts }, staticAccounts, lifetimeToken, instructions };
}

class MessageReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes);
  }

  byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw undecodable();
    return byte;
  }

  bytes(count: number): Buffer {
    const end = this.#at + count;
    if (end > this.#bytes.length) throw undecodable();
    const read = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return read;
  }

  /** A compact-u16: seven bits to a byte, the lowest first, each but the last with its highest bit set. */
  length(): number {
    let value = 0;
    for (let shift = 0; shift <= LENGTH_SHIFT_MAX; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte >= 0x80) continue;
      if (value > LENGTH_MAX || (byte === 0 && shift > 0)) break;
      return value;
    }
    throw oddlyEncoded();
  }

  list<Item>(read: () => Item): Item[] {
    const items: Item[] = [];
    for (let left = this.length(); left > 0; left -= 1) items.push(read());
    return items;
  }

  end(): void {
    if (this.#at !== this.#bytes.length) throw oddlyEncoded();
  }
}

function undecodable(): InvalidPayment {
  return invalid('The payment holds no Solana transaction that can be decoded.');
}

function oddlyEncoded(): InvalidPayment {
  return invalid('The transaction is not encoded as Solana encodes it.');
}

function invalid(sentence: string): InvalidPayment {
  return new InvalidPayment('invalid_transaction', sentence);
}
