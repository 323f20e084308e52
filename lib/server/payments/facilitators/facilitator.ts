import type { PaymentPayload, SettleResponse } from '@x402/core/types';
import type { PaymentRequirements } from '@/lib/protocol/x402/payment-required';

/** Submits payments to a chain. Its reports are not proof, so the gateway checks the chain. */
export interface Facilitator {
  /** @throws Error if the facilitator does not answer in time */
  settle(payload: PaymentPayload, requirements: PaymentRequirements): Promise<SettleResponse>;
}
