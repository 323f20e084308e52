import {
  type CompiledTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
} from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { SeededRandom } from '@/lib/protocol/testing/seeded-random';
import { InvalidPayment } from '@/lib/protocol/x402/presented-payment';
import {
  memo,
  messageBytes,
  PROGRAMS,
  testAddress,
  transferChecked,
  unitLimit,
  unitPrice,
} from '@/test/solana-messages';
import { readTransactionMessage } from './transaction-message';

const [FEE_PAYER, PAYER] = [testAddress(1), testAddress(2)];
const INSTRUCTIONS = [
  unitLimit(),
  unitPrice(),
  transferChecked({
    source: testAddress(3),
    mint: testAddress(4),
    destination: testAddress(5),
    authority: PAYER,
    units: 5n,
  }),
  memo('Ä '.repeat(60)),
];
const MESSAGES = ([0, 'legacy'] as const).flatMap((version) =>
  [INSTRUCTIONS, INSTRUCTIONS.slice(0, 3), [{ program: PROGRAMS.system, accounts: [], data: new Uint8Array() }]].map(
    (instructions) =>
      messageBytes({ feePayer: FEE_PAYER, signers: [PAYER], instructions, blockhash: testAddress(6), version }),
  ),
);

/**
 * Returns what the official decoder reads from bytes that its encoder would write. Returns null for other bytes, and
 * for messages that are no payment.
 */
function officially(bytes: Uint8Array) {
  let message: CompiledTransactionMessage & { lifetimeToken: string };
  try {
    message = getCompiledTransactionMessageDecoder().decode(bytes);
    if (!Buffer.from(getCompiledTransactionMessageEncoder().encode(message) as Uint8Array).equals(bytes)) return null;
  } catch {
    return null;
  }
  if (message.version === 1 || (message.version === 0 && (message.addressTableLookups?.length ?? 0) > 0)) return null;
  const { header, staticAccounts, lifetimeToken, instructions } = message;
  const { numSignerAccounts, numReadonlySignerAccounts } = header;
  return {
    header: { numSignerAccounts, numReadonlySignerAccounts },
    staticAccounts,
    lifetimeToken,
    instructions: instructions.map(({ programAddressIndex, accountIndices = [], data = new Uint8Array() }) => ({
      programAddressIndex,
      accountIndices,
      data: [...(data as Uint8Array)],
    })),
  };
}

function here(bytes: Uint8Array) {
  try {
    const { instructions, ...message } = readTransactionMessage(bytes);
    return { ...message, instructions: instructions.map((each) => ({ ...each, data: [...each.data] })) };
  } catch (error) {
    if (error instanceof InvalidPayment) return null;
    throw error;
  }
}

function reasonOf(bytes: Uint8Array): string {
  try {
    readTransactionMessage(bytes);
    return 'read';
  } catch (error) {
    return error instanceof InvalidPayment ? `${error.reason}: ${error.message}` : String(error);
  }
}

describe('the message of a transaction is read as the official codec reads it', () => {
  it.each(MESSAGES.map((bytes) => [bytes.length, bytes] as const))('whole, of %i bytes', (_, bytes) => {
    expect(here(bytes)).toEqual(officially(bytes));
    expect(here(bytes)).not.toBeNull();
  });

  it('with any byte changed, put in or taken out, and with random ones', () => {
    const random = new SeededRandom(20_251);
    for (let round = 0; round < 3_000; round++) {
      const bytes = [...(MESSAGES[round % MESSAGES.length] as Uint8Array)];
      const at = random.integer(0, bytes.length - 1);
      if (round % 3 === 0) bytes[at] = random.integer(0, 255);
      else if (round % 3 === 1) bytes.splice(at, random.integer(0, 1), random.integer(0, 255));
      else bytes.splice(at, 1 + random.integer(0, 2));
      const changed = Uint8Array.from(bytes);
      expect([Buffer.from(changed).toString('hex'), here(changed)]).toEqual([
        Buffer.from(changed).toString('hex'),
        officially(changed),
      ]);
    }
  });

  it('is invalid if cut short or with anything after it', () => {
    for (const bytes of MESSAGES) {
      for (let length = 0; length < bytes.length; length++)
        expect(reasonOf(bytes.subarray(0, length))).toMatch(/^invalid_transaction/);
      expect(reasonOf(Uint8Array.from([...bytes, 0]))).toMatch(/not in the encoding that Solana uses/);
    }
  });

  it('is invalid with a length in more bytes than necessary, or beyond 16 bits', () => {
    const legacy = MESSAGES.at(-1) as Uint8Array;
    const [head, accounts, rest] = [[...legacy.subarray(0, 3)], legacy[3] as number, [...legacy.subarray(4)]];
    for (const length of [
      [accounts | 0x80, 0],
      [accounts | 0x80, 0x80, 0],
      [0xff, 0xff, 0x04],
      [0xff, 0xff, 0xff, 0x01],
    ]) {
      expect(reasonOf(Uint8Array.from([...head, ...length, ...rest]))).toMatch(/not in the encoding that Solana uses/);
    }
  });

  it('of another version, or with accounts from look-up tables, is refused by name', () => {
    const [current] = MESSAGES as [Uint8Array];
    expect(reasonOf(Uint8Array.from([0x81, ...current.subarray(1)]))).toMatch(
      /^invalid_transaction: Messages of version 1/,
    );
    const lookupTables = [{ table: testAddress(9), writable: [0], readonly: [] }];
    expect(
      reasonOf(
        messageBytes({
          feePayer: FEE_PAYER,
          signers: [PAYER],
          instructions: INSTRUCTIONS,
          blockhash: testAddress(6),
          lookupTables,
        }),
      ),
    ).toMatch(/^lookup_tables/);
  });
});
