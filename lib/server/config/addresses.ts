import { base58 } from '@scure/base';
import { getAddress, isAddress } from 'viem/utils';
import { z } from 'zod';
import { meantFamily, type WalletFamily } from '@/lib/protocol/wallet-address';

const EVM_SHAPE = /^0x[0-9a-fA-F]{40}$/;
const BASE58_SHAPE = /^[1-9A-HJ-NP-Za-km-z]{25,60}$/;
const SOLANA_BYTES = 32;
/** Zero, the precompiles and what is reserved for more of them: nobody has a key of these. */
const RESERVED_MAX = 0xffffn;
const BURN = /^0x(0{36}|dead.*)dead$/i;

/** Accounts of Solana that are programs or a grave, and never a wallet. */
const SOLANA_NO_WALLETS: Readonly<Record<string, string>> = {
  '11111111111111111111111111111111': 'is the System Program (32 zero bytes)',
  TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA: 'is the Token Program',
  TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb: 'is the Token-2022 Program',
  ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL: 'is the Associated Token Account Program',
  '1nc1nerator11111111111111111111111111111111': 'is the incinerator',
};

/** What keeps a text from being the address of a wallet or contract on an EVM chain (EIP-55 for its case); null where nothing does. */
export function evmAddressFault(text: string): string | null {
  if (solanaBytes(text) !== null)
    return 'Must be an address of an EVM chain, 0x and 40 hexadecimal digits; this is one of Solana';
  if (!EVM_SHAPE.test(text))
    return `Must be an address: 0x and 40 hexadecimal digits (this has ${text.length} characters)`;
  if (/^0x0{40}$/.test(text))
    return 'Must be an address that somebody has; this is the zero address, which an unset variable often becomes';
  const digits = text.slice(2);
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase() || isAddress(text)) return null;
  return 'Must be an address with the right checksum (EIP-55): a digit is mistyped, or the case of a letter. Copy it again from where it comes from';
}

/** The same of an address that is to receive money. Contracts stand at reserved addresses too (a token of Polygon's does), wallets never. */
export function evmReceiverFault(text: string): string | null {
  const fault = evmAddressFault(text);
  if (fault !== null) return fault;
  return BigInt(text) <= RESERVED_MAX || BURN.test(text)
    ? 'Must be an address that somebody has; nobody has the key of this one'
    : null;
}

/** The same on Solana: 32 bytes in base58. */
export function solanaAddressFault(text: string): string | null {
  if (EVM_SHAPE.test(text)) return 'Must be an address of Solana, base58 of 32 bytes; this is one of an EVM chain';
  if (!/^[1-9A-HJ-NP-Za-km-z]+$/.test(text))
    return 'Must be an address in base58: digits and letters without 0, O, I and l';
  if (solanaBytes(text) === null) return 'Must be the base58 of 32 bytes: a character is missing or too many';
  const noWallet = SOLANA_NO_WALLETS[text];
  return noWallet === undefined ? null : `Must be an address that somebody has; this one ${noWallet}`;
}

function solanaBytes(text: string): Uint8Array | null {
  if (!BASE58_SHAPE.test(text)) return null;
  const bytes = base58.decode(text);
  return bytes.length === SOLANA_BYTES ? bytes : null;
}

/** Whether an EVM address is written without the checksum that would show a slip. */
export function lacksChecksum(text: string): boolean {
  return EVM_SHAPE.test(text) && text !== getAddress(text.toLowerCase());
}

/** A text without this fault. */
function free(faultOf: (text: string) => string | null) {
  return z.string().superRefine((text, context) => {
    const fault = faultOf(text);
    if (fault !== null) context.addIssue({ code: 'custom', message: fault });
  });
}

/** What keeps a text from being an address that receives money, by the family of its wallet; null where nothing does. */
export const RECEIVER_FAULTS: Readonly<Record<WalletFamily, (text: string) => string | null>> = {
  evm: evmReceiverFault,
  solana: solanaAddressFault,
};

export const evmAddress = free(evmAddressFault);
export const evmReceiver = free(evmReceiverFault);
export const solanaAddress = free(solanaAddressFault);
/** Of a wallet of any family. */
export const walletAddress = free((text) => RECEIVER_FAULTS[meantFamily(text)](text));
