import type { Json } from '../rpc/json';

/** An amount of a token as JSON-RPC tells it: exact as digits, and as a decimal number for people. */
export function uiTokenAmount(
  amount: bigint,
  decimals: number,
): { amount: string; decimals: number; uiAmount: number; uiAmountString: string } & Record<string, Json> {
  const uiAmountString = decimalText(amount, decimals);
  return { amount: amount.toString(), decimals, uiAmount: Number(uiAmountString), uiAmountString };
}

/** A whole number of the smallest units as a decimal number, without trailing zeros. */
export function decimalText(amount: bigint, decimals: number): string {
  if (decimals === 0) return amount.toString();
  const digits = amount.toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  return fraction === '' ? digits.slice(0, -decimals) : `${digits.slice(0, -decimals)}.${fraction}`;
}
