import { addressBytes, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../programs';
import type { Json } from '../rpc/json-rpc';
import type { Account } from './account';

/** Fields of an SPL token account (spl-token-interface, `Account`). */
export interface TokenAccountState {
  mint: Uint8Array;
  owner: Uint8Array;
  amount: bigint;
  delegate: Uint8Array | null;
  state: 'uninitialized' | 'initialized' | 'frozen';
  /** Rent reserve of a wrapped SOL account; null for any other token. */
  rentExemptReserve: bigint | null;
  delegatedAmount: bigint;
  closeAuthority: Uint8Array | null;
}

export interface MintState {
  mintAuthority: Uint8Array | null;
  supply: bigint;
  decimals: number;
  isInitialized: boolean;
  freezeAuthority: Uint8Array | null;
}

export interface MultisigState {
  required: number;
  total: number;
  isInitialized: boolean;
  signers: readonly Uint8Array[];
}

const TOKEN_ACCOUNT_BYTES = 165;
const MINT_BYTES = 82;
const MULTISIG_BYTES = 355;
const ACCOUNT_TYPE_AT = 165;
const ACCOUNT_TYPE_MINT = 1;
const ACCOUNT_TYPE_ACCOUNT = 2;
const STATES = ['uninitialized', 'initialized', 'frozen'] as const;

/** Returns the name of the token program that owns an account; null for any other owner. */
export function tokenProgramOf({ owner }: Account): 'spl-token' | 'spl-token-2022' | null {
  if (Buffer.compare(owner, addressBytes(TOKEN_PROGRAM)) === 0) return 'spl-token';
  return Buffer.compare(owner, addressBytes(TOKEN_2022_PROGRAM)) === 0 ? 'spl-token-2022' : null;
}

/** Parses an initialized token account of either token program; null for any other account. */
export function readTokenAccount(account: Account): TokenAccountState | null {
  if (!holds(account, TOKEN_ACCOUNT_BYTES, ACCOUNT_TYPE_ACCOUNT)) return null;
  const bytes = view(account.data);
  const state = STATES[bytes[108] ?? 0] ?? 'uninitialized';
  if (state === 'uninitialized') return null;
  const isNative = bytes.readUInt32LE(109) === 1;
  return {
    mint: bytes.subarray(0, 32),
    owner: bytes.subarray(32, 64),
    amount: bytes.readBigUInt64LE(64),
    delegate: optionalAddress(bytes, 72),
    state,
    rentExemptReserve: isNative ? bytes.readBigUInt64LE(113) : null,
    delegatedAmount: bytes.readBigUInt64LE(121),
    closeAuthority: optionalAddress(bytes, 129),
  };
}

/** Parses an initialized mint of either token program; null for any other account. */
export function readMint(account: Account): MintState | null {
  if (!holds(account, MINT_BYTES, ACCOUNT_TYPE_MINT)) return null;
  const bytes = view(account.data);
  if (bytes[45] !== 1) return null;
  return {
    mintAuthority: optionalAddress(bytes, 0),
    supply: bytes.readBigUInt64LE(36),
    decimals: bytes[44] ?? 0,
    isInitialized: true,
    freezeAuthority: optionalAddress(bytes, 46),
  };
}

/** Parses an initialized multisig of either token program; null for any other account. */
export function readMultisig(account: Account): MultisigState | null {
  const { data } = account;
  if (tokenProgramOf(account) === null || data.length !== MULTISIG_BYTES || data[2] !== 1) return null;
  const [required = 0, total = 0] = data;
  const signers = Array.from({ length: total }, (_, index) => data.subarray(3 + 32 * index, 35 + 32 * index));
  return { required, total, isInitialized: true, signers };
}

/** Reads the Token-2022 extensions of a mint or token account: type numbers and values. */
export function readExtensions({ data }: Account): { type: number; value: Uint8Array }[] {
  const bytes = view(data);
  const found: { type: number; value: Uint8Array }[] = [];
  let at = ACCOUNT_TYPE_AT + 1;
  while (at + 4 <= bytes.length) {
    const type = bytes.readUInt16LE(at);
    const length = bytes.readUInt16LE(at + 2);
    if (type === 0 || at + 4 + length > bytes.length) break;
    found.push({ type, value: bytes.subarray(at + 4, at + 4 + length) });
    at += 4 + length;
  }
  return found;
}

function holds(account: Account, bytes: number, type: number): boolean {
  const program = tokenProgramOf(account);
  const { length } = account.data;
  if (program === null) return false;
  return (
    length === bytes ||
    (program === 'spl-token-2022' &&
      length > ACCOUNT_TYPE_AT &&
      length !== MULTISIG_BYTES &&
      account.data[ACCOUNT_TYPE_AT] === type)
  );
}

function optionalAddress(bytes: Buffer, at: number): Uint8Array | null {
  return bytes.readUInt32LE(at) === 1 ? bytes.subarray(at + 4, at + 36) : null;
}

function view(data: Uint8Array): Buffer {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}

/** Formats a token amount for JSON-RPC: as exact digits and as a decimal number. */
export function uiTokenAmount(
  amount: bigint,
  decimals: number,
): { amount: string; decimals: number; uiAmount: number; uiAmountString: string } & Record<string, Json> {
  const uiAmountString = decimalText(amount, decimals);
  return { amount: amount.toString(), decimals, uiAmount: Number(uiAmountString), uiAmountString };
}

/** Formats an amount in smallest units as a decimal number without trailing zeros. */
export function decimalText(amount: bigint, decimals: number): string {
  if (decimals === 0) return amount.toString();
  const digits = amount.toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  return fraction === '' ? digits.slice(0, -decimals) : `${digits.slice(0, -decimals)}.${fraction}`;
}
