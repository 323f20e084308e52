import type { Account } from '../accounts/account';
import { addressBytes, SYSTEM_PROGRAM } from '../programs';
import type { Message } from './transaction';

/** State of a durable nonce account (solana-nonce, `State::Initialized`). */
interface NonceState {
  authority: Uint8Array;
  nonce: Uint8Array;
  lamportsPerSignature: bigint;
}

const NONCE_BYTES = 80;
const INITIALIZED = 1;
const ADVANCE_NONCE = 4;

/** Parses an initialized nonce account; null for any other account. */
export function readNonce({ owner, data }: Account): NonceState | null {
  if (data.length !== NONCE_BYTES || Buffer.compare(owner, addressBytes(SYSTEM_PROGRAM)) !== 0) return null;
  const view = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  if (view.readUInt32LE(4) !== INITIALIZED) return null;
  return {
    authority: data.subarray(8, 40),
    nonce: data.subarray(40, 72),
    lamportsPerSignature: view.readBigUInt64LE(72),
  };
}

/**
 * Returns whether a message uses a durable nonce in place of a recent blockhash. The first instruction must advance a
 * nonce account whose nonce is the message's blockhash, and that account's authority must sign.
 */
export function standsOnNonce(message: Message, read: (address: Uint8Array) => Account | null): boolean {
  const [first] = message.instructions;
  if (first === undefined || first.data.length < 4) return false;
  if (Buffer.from(first.data).readUInt32LE(0) !== ADVANCE_NONCE) return false;
  const program = message.staticAddresses[first.programIndex];
  const address = message.staticAddresses[first.accounts[0] ?? -1];
  if (program === undefined || address === undefined || Buffer.compare(program, addressBytes(SYSTEM_PROGRAM)) !== 0)
    return false;
  const account = read(address);
  const state = account && readNonce(account);
  if (!state || Buffer.compare(state.nonce, message.recentBlockhash) !== 0) return false;
  return message.staticAddresses
    .slice(0, message.signers)
    .some((signer) => Buffer.compare(signer, state.authority) === 0);
}
