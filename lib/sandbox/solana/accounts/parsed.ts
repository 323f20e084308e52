import { toBase58 } from '../address';
import { ADDRESS_LOOKUP_TABLE_PROGRAM, addressBytes } from '../programs';
import type { Json } from '../rpc/json-rpc';
import { LOOKUP_TABLE_META_BYTES } from '../transaction/accounts';
import { readNonce } from '../transaction/nonce';
import type { Account } from './account';
import {
  type MintState,
  type MultisigState,
  readExtensions,
  readMint,
  readMultisig,
  readTokenAccount,
  type TokenAccountState,
  tokenProgramOf,
  uiTokenAmount,
} from './token-state';

export type ReadAccount = (address: Uint8Array) => Account | null;

/** Type number of Token-2022's ImmutableOwner extension, which has no value. */
const IMMUTABLE_OWNER = 7;

/**
 * Formats an account's data as `jsonParsed` (Agave, account-decoder): token accounts, mints and multisigs of both token
 * programs, durable nonces and lookup tables. Returns null for any other account.
 *
 * @param read reads a token account's mint, which states the decimals
 */
export function parseAccount(account: Account, read: ReadAccount): Json | null {
  const program = tokenProgramOf(account);
  const found = program ? { program, parsed: parseTokenProgram(account, read) } : parseOther(account);
  return found?.parsed ? { program: found.program, parsed: found.parsed, space: account.data.length } : null;
}

function parseOther(account: Account): { program: string; parsed: Json | null } | null {
  if (Buffer.compare(account.owner, addressBytes(ADDRESS_LOOKUP_TABLE_PROGRAM)) === 0) {
    return { program: 'address-lookup-table', parsed: lookupTableJson(account) };
  }
  const state = readNonce(account);
  if (!state) return null;
  const info = {
    authority: toBase58(state.authority),
    blockhash: toBase58(state.nonce),
    feeCalculator: { lamportsPerSignature: state.lamportsPerSignature.toString() },
  };
  return { program: 'nonce', parsed: { type: 'initialized', info } };
}

function parseTokenProgram(account: Account, read: ReadAccount): Json | null {
  const extensions = extensionsJson(account);
  const token = readTokenAccount(account);
  if (token) {
    const mintAccount = read(token.mint);
    const mint = mintAccount && readMint(mintAccount);
    // Without the mint, the decimals are unknown. The caller then sends the raw bytes.
    return mint && { type: 'account', info: { ...tokenAccountJson(token, mint.decimals), ...extensions } };
  }
  const mint = readMint(account);
  if (mint) return { type: 'mint', info: { ...mintJson(mint), ...extensions } };
  const multisig = readMultisig(account);
  return multisig && { type: 'multisig', info: multisigJson(multisig) };
}

function tokenAccountJson(token: TokenAccountState, decimals: number): Record<string, Json> {
  return {
    mint: toBase58(token.mint),
    owner: toBase58(token.owner),
    tokenAmount: uiTokenAmount(token.amount, decimals),
    ...(token.delegate && {
      delegate: toBase58(token.delegate),
      delegatedAmount: uiTokenAmount(token.delegatedAmount, decimals),
    }),
    state: token.state,
    isNative: token.rentExemptReserve !== null,
    ...(token.rentExemptReserve !== null && { rentExemptReserve: uiTokenAmount(token.rentExemptReserve, decimals) }),
    ...(token.closeAuthority && { closeAuthority: toBase58(token.closeAuthority) }),
  };
}

function mintJson({
  mintAuthority,
  supply,
  decimals,
  isInitialized,
  freezeAuthority,
}: MintState): Record<string, Json> {
  return {
    mintAuthority: mintAuthority && toBase58(mintAuthority),
    supply: supply.toString(),
    decimals,
    isInitialized,
    freezeAuthority: freezeAuthority && toBase58(freezeAuthority),
  };
}

function multisigJson({ required, total, isInitialized, signers }: MultisigState): Json {
  return { numRequiredSigners: required, numValidSigners: total, isInitialized, signers: signers.map(toBase58) };
}

function extensionsJson(account: Account): Record<string, Json> {
  const extensions = readExtensions(account);
  if (tokenProgramOf(account) !== 'spl-token-2022' || extensions.length === 0) return {};
  return {
    extensions: extensions.map(({ type }) => ({
      extension: type === IMMUTABLE_OWNER ? 'immutableOwner' : 'unparseableExtension',
    })),
  };
}

function lookupTableJson({ data }: Account): Json | null {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  if (bytes.length < LOOKUP_TABLE_META_BYTES || bytes.readUInt32LE(0) !== 1) return null;
  const deactivationSlot = bytes.readBigUInt64LE(4);
  const addresses = Array.from({ length: Math.floor((bytes.length - LOOKUP_TABLE_META_BYTES) / 32) }, (_, index) =>
    toBase58(bytes.subarray(LOOKUP_TABLE_META_BYTES + 32 * index, LOOKUP_TABLE_META_BYTES + 32 * (index + 1))),
  );
  const info = {
    deactivationSlot: deactivationSlot.toString(),
    lastExtendedSlot: bytes.readBigUInt64LE(12).toString(),
    lastExtendedSlotStartIndex: bytes[20] ?? 0,
    ...(bytes[21] === 1 && { authority: toBase58(bytes.subarray(22, 54)) }),
    addresses,
  };
  return { type: 'lookupTable', info };
}
