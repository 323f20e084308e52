import type { FaucetReceipt } from '@/lib/client';

/**
 * Returns the amounts in a faucet's receipt, such as `100 ETH`. Lists each amount once, because several chains give the
 * same amount.
 */
export function fundedAmounts(receipt: FaucetReceipt): readonly string[] {
  const funded = Array.isArray(receipt.funded) ? (receipt.funded as unknown[]) : [];
  const amounts = funded.flatMap((entry) => {
    const { tokens } = (entry ?? {}) as { tokens?: unknown };
    return [entry, ...(Array.isArray(tokens) ? (tokens as unknown[]) : [])].flatMap(amountOf);
  });
  return [...new Set(amounts)];
}

function amountOf(entry: unknown): string[] {
  if (typeof entry !== 'object' || entry === null) return [];
  const { amount, symbol } = entry as { amount?: unknown; symbol?: unknown };
  return typeof amount === 'string' && typeof symbol === 'string' ? [`${groupDigits(amount)} ${symbol}`] : [];
}

function groupDigits(amount: string): string {
  const [whole = '0', fraction] = amount.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}
