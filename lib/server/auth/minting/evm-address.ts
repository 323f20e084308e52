import { type Address, checksumAddress } from 'viem';
import { apiError } from '@/lib/protocol/errors';
import { isZeroAddress } from '@/lib/protocol/evm-signature';

const HEX_ADDRESS = /^0x(?<digits>[0-9a-fA-F]{40})$/;

/**
 * The address that a wallet is written with, in lower case. All lower case and all upper case carry no checksum; mixed
 * cases must be the true one (EIP-55), which tells a mistyped address from a right one.
 * @throws ApiError INVALID_WALLET_ADDRESS
 */
export function evmAddressOf(text: string): Address {
  const digits = HEX_ADDRESS.exec(text)?.groups?.['digits'];
  if (digits === undefined) throw apiError('INVALID_WALLET_ADDRESS');
  const address: Address = `0x${digits.toLowerCase()}`;
  if (isZeroAddress(address))
    throw apiError('INVALID_WALLET_ADDRESS', { message: "Invalid wallet address: the zero address is nobody's." });
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  if (isMixed && checksumAddress(address) !== text) {
    throw apiError('INVALID_WALLET_ADDRESS', {
      message: 'Invalid wallet address: its mixed cases are not the EIP-55 checksum of the address.',
    });
  }
  return address;
}
