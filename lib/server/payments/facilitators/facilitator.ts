import type { PaymentPayload, SettleResponse } from '@x402/core/types';
import type { PaymentRequirements } from '@/lib/protocol/x402/requirements';

/** Who submits payments to a chain. Its word is not proof: what it says is looked up. */
export interface Facilitator {
  /** @throws Error where it did not answer, or not in time. */
  settle(payload: PaymentPayload, requirements: PaymentRequirements): Promise<SettleResponse>;
}
