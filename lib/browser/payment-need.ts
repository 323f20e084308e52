/** What a 402 says about money, as texts to show: `$0.10`; null where it does not say. */
export interface PaymentNeed {
  currentUsd: string | null;
  minimumUsd: string | null;
}

/** Reads the body of a 402 for a wallet with too little balance (spec, "402 bodies", shape B); null for any other body. */
export function readPaymentNeed(bodyText: string): PaymentNeed | null {
  const body = parse(bodyText);
  if (typeof body !== 'object' || body === null) return null;
  const { reason, currentBalanceUsd, minimumBalanceUsd } = body as Record<string, unknown>;
  return reason === 'insufficient_balance' ? { currentUsd: usd(currentBalanceUsd), minimumUsd: usd(minimumBalanceUsd) } : null;
}

/** To the sixth place, as the balance header has it, without zeros at the end beyond cents. */
function usd(value: unknown): string | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  const [whole, fraction = ''] = value.toFixed(6).split('.');
  return `$${whole}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
