import type { PaymentRequirements } from '@/lib/protocol/x402/payment-required';

/** Payment as JSON that attacks can falsify. */
export interface PaymentJson {
  x402Version: number;
  accepted: PaymentRequirements;
  payload: { signature?: string; authorization?: Record<string, string>; transaction?: string };
}
