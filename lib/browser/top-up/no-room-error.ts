import { paymentDraftWords } from '../words/payment-details';

/** The storage of this browser is full: what would be signed could not be kept until it is credited. */
export class NoRoomError extends Error {
  override readonly name = 'NoRoomError';

  constructor() {
    super(paymentDraftWords.noRoom);
  }
}
