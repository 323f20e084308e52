import { hashTypedData, type Hex } from 'viem';
import { WITHDRAWAL_TYPES, withdrawalDomain, type WithdrawalStatement } from './withdrawal-text';

/** Returns the EIP-712 hash that an EVM wallet signs. */
export function withdrawalDigest(
  { gateway, to, amount, fee, nonce, validBefore }: WithdrawalStatement,
  { chainId, token }: { chainId: number; token: `0x${string}` },
): Hex {
  return hashTypedData({
    domain: withdrawalDomain(chainId, token),
    types: WITHDRAWAL_TYPES,
    primaryType: 'Withdrawal',
    message: {
      gateway,
      to: to as Hex,
      amount: BigInt(amount),
      fee: BigInt(fee),
      nonce,
      validBefore: BigInt(validBefore),
    },
  });
}
