import type { PaymentRequirements } from '@/lib/protocol/x402/requirements';

/** A payment as JSON, to be falsified. */
export interface PaymentJson {
  x402Version: number;
  accepted: PaymentRequirements;
  payload: { signature?: string; authorization?: Record<string, string>; transaction?: string };
}
