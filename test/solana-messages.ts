import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { getCompiledTransactionMessageEncoder } from '@solana/kit';
import { base58 } from '@scure/base';

/** This file writes Solana transactions, valid or not, without the code under test. */

const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_KEY_AT = 12;

export interface TestKey {
  address: string;
  seed: Uint8Array;
  sign(message: Uint8Array): Buffer;
}

/** Returns a key derived from a number. */
export function testKey(number: number): TestKey {
  const seed = Buffer.alloc(32, 7);
  seed.writeUInt32LE(number, 0);
  const key: KeyObject = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' });
  return {
    address: base58.encode(createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(SPKI_KEY_AT)),
    seed,
    sign: (message) => sign(null, message, key),
  };
}

/** Returns 32 bytes derived from a number, for an address or a blockhash. */
export function testAddress(number: number): string {
  const bytes = Buffer.alloc(32, 9);
  bytes.writeUInt32LE(number, 0);
  return base58.encode(bytes);
}

export interface TestInstruction {
  program: string;
  accounts: readonly string[];
  data: Uint8Array;
}

export const PROGRAMS = {
  budget: 'ComputeBudget111111111111111111111111111111',
  token: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  token2022: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  memo: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  lighthouse: 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95',
  system: '11111111111111111111111111111111',
} as const;

export const unitLimit = (units = 20_000): TestInstruction => {
  const data = Buffer.alloc(5, 2);
  data.writeUInt32LE(units, 1);
  return { program: PROGRAMS.budget, accounts: [], data };
};

export const unitPrice = (microLamports = 1n): TestInstruction => {
  const data = Buffer.alloc(9, 3);
  data.writeBigUInt64LE(microLamports, 1);
  return { program: PROGRAMS.budget, accounts: [], data };
};

export interface TestTransfer {
  source: string;
  mint: string;
  destination: string;
  authority: string;
  units: bigint;
  decimals?: number;
  program?: string;
}

export const transferChecked = ({
  source,
  mint,
  destination,
  authority,
  units,
  decimals = 6,
  program = PROGRAMS.token,
}: TestTransfer): TestInstruction => {
  const data = Buffer.alloc(10, 12);
  data.writeBigUInt64LE(units, 1);
  data.writeUInt8(decimals, 9);
  return { program, accounts: [source, mint, destination, authority], data };
};

export const memo = (text: string): TestInstruction => ({
  program: PROGRAMS.memo,
  accounts: [],
  data: Buffer.from(text),
});

export interface TestMessage {
  feePayer: string;
  /** Signers in addition to the fee payer. */
  signers: readonly string[];
  instructions: readonly TestInstruction[];
  blockhash: string;
  version?: 'legacy' | 0;
  /** Lookup tables of a version 0 message. */
  lookupTables?: readonly { table: string; writable: number[]; readonly: number[] }[];
}

/** Returns the bytes of a message. All accounts that do not sign are writable, except programs. */
export function messageBytes({
  feePayer,
  signers,
  instructions,
  blockhash,
  version = 0,
  lookupTables = [],
}: TestMessage): Uint8Array {
  const programs = new Set(instructions.map(({ program }) => program));
  const signing = new Set([feePayer, ...signers]);
  const others = new Set(
    instructions
      .flatMap(({ accounts }) => accounts)
      .filter((address) => !signing.has(address) && !programs.has(address)),
  );
  const readonlyAccounts = [...programs].filter((address) => !signing.has(address));
  const staticAccounts = [...signing, ...others, ...readonlyAccounts];
  const header = {
    numSignerAccounts: signing.size,
    numReadonlySignerAccounts: 0,
    numReadonlyNonSignerAccounts: readonlyAccounts.length,
  };
  const compiled = instructions.map(({ program, accounts, data }) => ({
    programAddressIndex: staticAccounts.indexOf(program),
    accountIndices: accounts.map((address) => staticAccounts.indexOf(address)),
    data,
  }));
  const lookups = lookupTables.map(({ table, writable, readonly }) => ({
    lookupTableAddress: table,
    writableIndexes: writable,
    readonlyIndexes: readonly,
  }));
  const message = {
    version,
    header,
    staticAccounts,
    lifetimeToken: blockhash,
    instructions: compiled,
    ...(version === 0 && { addressTableLookups: lookups }),
  };
  return Uint8Array.from(getCompiledTransactionMessageEncoder().encode(message as never));
}

/** Returns a transaction in base64. Signatures are in the order of the signers; null becomes zeros. */
export function wireOf(message: Uint8Array, signatures: readonly (Uint8Array | null)[]): string {
  return Buffer.concat([
    Buffer.from([signatures.length]),
    ...signatures.map((each) => each ?? new Uint8Array(64)),
    message,
  ]).toString('base64');
}

/** Returns the payment header that x402 v2 clients send. */
export function paymentHeader(transaction: string, accepted: object): string {
  return Buffer.from(JSON.stringify({ x402Version: 2, accepted, payload: { transaction } })).toString('base64');
}
