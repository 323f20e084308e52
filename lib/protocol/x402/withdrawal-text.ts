import type { WithdrawalStatement } from './withdrawal-statement';

/**
 * Returns the text that a Solana wallet signs to withdraw prepaid money, with the content of the EIP-712 statement on
 * EVM chains. No transaction or sign-in has this form.
 */
export function withdrawalText(
  { gateway, to, amount, fee, nonce, validBefore }: WithdrawalStatement,
  { network, asset }: { network: string; asset: string },
): string {
  return [
    'Turnpike withdrawal, version 1',
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
