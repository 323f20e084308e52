import { base58 } from '@scure/base';
import { getAddress, isAddress } from 'viem/utils';
import { z } from 'zod';
import { meantFamily, type WalletFamily } from '@/lib/protocol/wallet-address';

const EVM_SHAPE = /^0x[0-9a-fA-F]{40}$/;
const BASE58_SHAPE = /^[1-9A-HJ-NP-Za-km-z]{25,60}$/;
const SOLANA_BYTES = 32;
/** Last reserved EVM address. The reserved ones include the zero address and all precompiles. */
const RESERVED_MAX = 0xffffn;
const BURN = /^0x(0{36}|dead.*)dead$/i;

/** Solana addresses that are never wallets: programs, and addresses that hold destroyed tokens. */
const SOLANA_NO_WALLETS: Readonly<Record<string, string>> = {
  '11111111111111111111111111111111': 'is the System Program (32 zero bytes)',
  TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA: 'is the Token Program',
  TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb: 'is the Token-2022 Program',
  ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL: 'is the Associated Token Account Program',
  '1nc1nerator11111111111111111111111111111111': 'is the incinerator',
};

/** Returns why a text is not an EVM address; null if it is one. Mixed case must match the checksum (EIP-55). */
function evmAddressFault(text: string): string | null {
  if (solanaBytes(text) !== null)
    return 'Must be an EVM address, 0x and 40 hexadecimal digits; this is a Solana address';
  if (!EVM_SHAPE.test(text))
    return `Must be an address: 0x and 40 hexadecimal digits (this has ${text.length} characters)`;
  if (/^0x0{40}$/.test(text))
    return 'Must be an address that has an owner; this is the zero address, which often comes from an unset variable';
  const digits = text.slice(2);
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase() || isAddress(text)) return null;
  return 'Must have the right checksum (EIP-55): a digit or the case of a letter is wrong. Copy the address again from its source';
}

/** A contract can have a reserved address (a token of Polygon does), but no wallet can. */
function evmReceiverFault(text: string): string | null {
  const fault = evmAddressFault(text);
  if (fault !== null) return fault;
  return BigInt(text) <= RESERVED_MAX || BURN.test(text)
    ? 'Must be an address that has an owner; nobody has the key of this one'
    : null;
}

/** Returns why a text is not a Solana wallet address (32 bytes in base58); null if it is one. */
function solanaAddressFault(text: string): string | null {
  if (EVM_SHAPE.test(text)) return 'Must be a Solana address, base58 of 32 bytes; this is an EVM address';
  if (!/^[1-9A-HJ-NP-Za-km-z]+$/.test(text))
    return 'Must be an address in base58: digits and letters without 0, O, I and l';
  if (solanaBytes(text) === null)
    return 'Must be the base58 of 32 bytes; a character is missing, or there is one too many';
  const noWallet = SOLANA_NO_WALLETS[text];
  return noWallet === undefined ? null : `Must be the address of a wallet; this one ${noWallet}`;
}

function solanaBytes(text: string): Uint8Array | null {
  if (!BASE58_SHAPE.test(text)) return null;
  const bytes = base58.decode(text);
  return bytes.length === SOLANA_BYTES ? bytes : null;
}

/** Returns whether an EVM address has no checksum, so that a typing error would go unnoticed. */
export function lacksChecksum(text: string): boolean {
  return EVM_SHAPE.test(text) && text !== getAddress(text.toLowerCase());
}

function free(faultOf: (text: string) => string | null) {
  return z.string().superRefine((text, context) => {
    const fault = faultOf(text);
    if (fault !== null) context.addIssue({ code: 'custom', message: fault });
  });
}

/** Checks of receiving addresses, by wallet family. Each returns the fault; null for a valid address. */
export const RECEIVER_FAULTS: Readonly<Record<WalletFamily, (text: string) => string | null>> = {
  evm: evmReceiverFault,
  solana: solanaAddressFault,
};

export const evmAddress = free(evmAddressFault);
export const evmReceiver = free(evmReceiverFault);
export const solanaAddress = free(solanaAddressFault);
export const walletAddress = free((text) => RECEIVER_FAULTS[meantFamily(text)](text));
