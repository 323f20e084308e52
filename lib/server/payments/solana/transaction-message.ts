import { base58 } from '@scure/base';
import { InvalidPayment } from '@/lib/protocol/x402/presented-payment';

/** Message in the legacy format or version 0. It contains the addresses of all its accounts. */
export interface TransactionMessage {
  header: { numSignerAccounts: number; numReadonlySignerAccounts: number };
  staticAccounts: readonly string[];
  lifetimeToken: string;
  instructions: readonly CompiledInstruction[];
}

/** Instruction whose accounts are indices into its message's accounts. */
export interface CompiledInstruction {
  programAddressIndex: number;
  accountIndices: readonly number[];
  data: Buffer;
}

const VERSION_BIT = 0x80;
const WORD_BYTES = 32;
/** Shift of a length's last byte. A length has at most 16 bits, seven in each byte. */
const LENGTH_SHIFT_MAX = 14;
const LENGTH_MAX = 0xffff;

/**
 * Parses a legacy or version 0 message. Refuses encodings that are not canonical, so that each payment has exactly one
 * encoding.
 *
 * @throws InvalidPayment
 */
export function readTransactionMessage(bytes: Uint8Array): TransactionMessage {
  const reader = new MessageReader(bytes);
  const first = reader.byte();
  const isLegacy = first < VERSION_BIT;
  if (first > VERSION_BIT) throw invalid(`Messages of version ${first - VERSION_BIT} are not accepted. Use version 0.`);
  const numSignerAccounts = isLegacy ? first : reader.byte();
  const numReadonlySignerAccounts = reader.byte();
  // Skips the number of read-only accounts that do not sign, because payments do not need it.
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
      'The transaction uses address look-up tables, which may change. List all accounts in the transaction.',
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

  /**
   * Reads a compact-u16: seven bits per byte, lowest bits first. The highest bit is set in every byte except the last.
   */
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
  return invalid('The Solana transaction of the payment cannot be decoded.');
}

function oddlyEncoded(): InvalidPayment {
  return invalid('The transaction is not in the encoding that Solana uses.');
}

function invalid(sentence: string): InvalidPayment {
  return new InvalidPayment('invalid_transaction', sentence);
}
