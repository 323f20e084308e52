import {
  Keypair,
  MessageV0,
  PublicKey,
  SystemProgram,
  Transaction as Web3Transaction,
  VersionedTransaction,
} from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { SeededRandom } from '@/lib/protocol/testing/seeded-random';
import { SlotClock } from '../slot-clock';
import { Vm } from '../vm';
import { decodeTransaction, isWritable, SanitizeError, WireFormatError } from './transaction';

const payer = Keypair.generate();
const other = Keypair.generate();
const table = Keypair.generate().publicKey;
const recentBlockhash = Keypair.generate().publicKey.toBase58();
const move = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: other.publicKey, lamports: 5 });

function legacy(): Uint8Array {
  const transaction = new Web3Transaction({ feePayer: payer.publicKey, recentBlockhash }).add(move);
  transaction.sign(payer);
  return transaction.serialize();
}

function version0(): Uint8Array {
  const message = new MessageV0({
    header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 1 },
    staticAccountKeys: [payer.publicKey, SystemProgram.programId],
    recentBlockhash,
    compiledInstructions: [{ programIdIndex: 1, accountKeyIndexes: [0, 2], data: move.data }],
    addressTableLookups: [{ accountKey: table, writableIndexes: [4], readonlyIndexes: [1, 2] }],
  });
  const transaction = new VersionedTransaction(message);
  transaction.sign([payer]);
  return transaction.serialize();
}

describe('decodeTransaction', () => {
  it('reads a legacy transaction as @solana/web3.js writes it', () => {
    const { message, signatures, messageBytes, wire } = decodeTransaction(legacy());
    expect(message.version).toBe('legacy');
    expect(message.staticAddresses.map((address) => new PublicKey(address).toBase58())).toEqual(
      [payer, other].map((key) => key.publicKey.toBase58()).concat(SystemProgram.programId.toBase58()),
    );
    expect(new PublicKey(message.recentBlockhash).toBase58()).toBe(recentBlockhash);
    expect(message.instructions).toEqual([{ programIndex: 2, accounts: [0, 1], data: move.data }]);
    expect([0, 1, 2].map((index) => isWritable(message, index))).toEqual([true, true, false]);
    expect([signatures.length, messageBytes.length, wire.length]).toEqual([1, wire.length - 65, legacy().length]);
  });

  it('reads a version 0 transaction with its table lookups', () => {
    const { message } = decodeTransaction(version0());
    expect(message.version).toBe(0);
    expect(message.lookups).toEqual([{ table: table.toBytes(), writable: [4], readonly: [1, 2] }]);
    expect([0, 1, 2, 3, 4].map((index) => isWritable(message, index))).toEqual([true, false, true, false, false]);
  });

  it('leaves out bytes that follow', () => {
    const bytes = legacy();
    expect(decodeTransaction(Buffer.concat([bytes, Buffer.from([1, 2, 3])])).wire).toEqual(Buffer.from(bytes));
  });

  it.each([
    ['legacy', legacy()],
    ['version 0', version0()],
  ])('refuses a %s transaction that ends early, wherever it does', (_name, bytes) => {
    for (let length = 0; length < bytes.length; length += 1)
      expect(() => decodeTransaction(bytes.subarray(0, length)), `${length} bytes`).toThrow(WireFormatError);
  });

  it('refuses lengths that are not in their shortest form, and versions that it does not know', () => {
    expect(() => decodeTransaction(Buffer.concat([Buffer.from([0x81, 0x00]), legacy().subarray(1)]))).toThrow(
      WireFormatError,
    );
    const bytes = version0();
    bytes[65] = 0x81;
    expect(() => decodeTransaction(bytes)).toThrow(/version 1/);
  });

  const headers: [string, (bytes: Uint8Array) => void][] = [
    ['more signers than signatures', (bytes) => void (bytes[65] = 2)],
    ['a fee payer that is read-only', (bytes) => void (bytes[66] = 1)],
    ['more read-only accounts than there are', (bytes) => void (bytes[67] = 3)],
    ['a program that is not there', (bytes) => void (bytes[bytes.length - 17] = 9)],
    ['an account that is not there', (bytes) => void (bytes[bytes.length - 14] = 9)],
    ['the fee payer as a program', (bytes) => void (bytes[bytes.length - 17] = 0)],
  ];
  it.each(headers)('refuses %s', (_name, spoil) => {
    const bytes = legacy();
    spoil(bytes);
    expect(() => decodeTransaction(bytes)).toThrow(SanitizeError);
  });

  // LiteSVM aborts the process on bytes that it cannot read, which would end this test too.
  it('lets nothing through that ends the virtual machine: 20,000 spoilt transactions', () => {
    const vm = new Vm(new SlotClock({ timeMs: 0, seed: new Uint8Array(32) }, 0));
    const random = new SeededRandom(20_261_120);
    const originals = [legacy(), version0()];
    let passed = 0;
    for (let round = 0; round < 20_000; round += 1) {
      const bytes = Buffer.from(originals[round % 2] as Uint8Array);
      for (let changes = random.integer(1, 3); changes > 0; changes -= 1)
        bytes[random.integer(0, bytes.length - 1)] = random.integer(0, 255);
      try {
        vm.simulate(decodeTransaction(bytes), false);
        passed += 1;
      } catch (error) {
        expect(error instanceof WireFormatError || error instanceof SanitizeError, String(error)).toBe(true);
      }
    }
    expect(passed).toBeGreaterThan(1_000);
  });
});
