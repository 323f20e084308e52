/** What a 402 says about money, in USD; null where it does not say. */
export interface PaymentNeed {
  /** What there is to spend. */
  currentUsd: number | null;
  /** The most that the call can cost. */
  costUsd: number | null;
}

/** Reads the body of a 402 for a payer with too little balance (spec, "402 bodies", shape B, and what a key is told); null for any other body. */
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
