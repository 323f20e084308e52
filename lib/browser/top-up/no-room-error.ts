import { paymentDraftWords } from '../words/payment-details';

/**
 * Thrown if storage has no room for a signed payment. Each signed payment is stored until the gateway has credited it.
 */
export class NoRoomError extends Error {
  override readonly name = 'NoRoomError';

  constructor() {
    super(paymentDraftWords.noRoom);
  }
}
