import { type Address, checksumAddress } from 'viem';
import { apiError } from '@/lib/protocol/errors';
import { isZeroAddress } from '@/lib/protocol/evm-signature';

const HEX_ADDRESS = /^0x(?<digits>[0-9a-fA-F]{40})$/;

/**
 * Returns an address in lower case. Mixed case must match the checksum (EIP-55).
 *
 * @throws ApiError INVALID_WALLET_ADDRESS
 */
export function evmAddressOf(text: string): Address {
  const digits = HEX_ADDRESS.exec(text)?.groups?.['digits'];
  if (digits === undefined) throw apiError('INVALID_WALLET_ADDRESS');
  const address: Address = `0x${digits.toLowerCase()}`;
  if (isZeroAddress(address))
    throw apiError('INVALID_WALLET_ADDRESS', { message: 'Invalid wallet address: the zero address has no owner.' });
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  if (isMixed && checksumAddress(address) !== text) {
    throw apiError('INVALID_WALLET_ADDRESS', {
      message: 'Invalid wallet address: its upper and lower case letters do not match its EIP-55 checksum.',
    });
  }
  return address;
}
