import type { Hex } from 'viem';

/** EIP-712 types of the statement that an EVM wallet signs to withdraw prepaid money. */
export const WITHDRAWAL_TYPES = {
  Withdrawal: [
    { name: 'gateway', type: 'string' },
    { name: 'to', type: 'address' },
    { name: 'amount', type: 'uint256' },
    { name: 'fee', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
    { name: 'validBefore', type: 'uint256' },
  ],
} as const;

/** Signed content of a withdrawal. Amounts are decimal base units of the token, `validBefore` Unix seconds. */
export interface WithdrawalStatement {
  /** Origin of the gateway, so that another gateway cannot use the statement. */
  gateway: string;
  /** Receiver, which is the wallet that signs. */
  to: string;
  /** Amount debited from the balance, fee included. */
  amount: string;
  fee: string;
  nonce: Hex;
  validBefore: string;
}

/** First line of the text. It omits the gateway's name, which `brand` may change. */
export const WITHDRAWAL_TITLE = 'Withdrawal of prepaid money, version 1';

/** Returns the EIP-712 domain for withdrawing a token on a chain. */
export function withdrawalDomain(chainId: number, token: `0x${string}`) {
  return { name: 'Withdrawal', version: '1', chainId, verifyingContract: token } as const;
}

/**
 * Returns the text that a Solana wallet signs to withdraw prepaid money. The text has the content of the EIP-712
 * statement on EVM chains. No transaction or sign-in has this form, so the signature authorizes nothing else.
 */
export function withdrawalText(
  { gateway, to, amount, fee, nonce, validBefore }: WithdrawalStatement,
  { network, asset }: { network: string; asset: string },
): string {
  return [
    WITHDRAWAL_TITLE,
    '',
    'The prepaid amount below returns to this wallet, minus the fee. Amounts are base units of the token.',
    '',
    `Gateway: ${gateway}`,
    `Network: ${network}`,
    `Token: ${asset}`,
    `To: ${to}`,
    `Amount: ${amount}`,
    `Fee: ${fee}`,
    `Nonce: ${nonce}`,
    `Valid before: ${validBefore}`,
  ].join('\n');
}
