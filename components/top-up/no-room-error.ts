import { paymentDraftWords } from '@/lib/browser/wallet/payment-words';

/** Thrown if storage has no room for a signed payment, which is stored until the gateway has credited or refused it. */
export class NoRoomError extends Error {
  override readonly name = 'NoRoomError';

  constructor() {
    super(paymentDraftWords.noRoom);
  }
}
