/** Amounts of a 402 response in USD; null if absent. */
export interface PaymentNeed {
  currentUsd: number | null;
  /** Maximum cost of the call. */
  costUsd: number | null;
}

/**
 * Parses the body of a 402 about a low balance: shape B of the specification's "402 bodies", or the body for API keys.
 * Returns null for any other body.
 */
export function readPaymentNeed(bodyText: string): PaymentNeed | null {
  const body = parse(bodyText);
  if (typeof body !== 'object' || body === null) return null;
  const { reason, code, currentBalanceUsd, minimumBalanceUsd } = body as Record<string, unknown>;
  if (reason !== 'insufficient_balance' && code !== 'INSUFFICIENT_BALANCE') return null;
  return { currentUsd: usd(currentBalanceUsd), costUsd: usd(minimumBalanceUsd) };
}

function usd(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
