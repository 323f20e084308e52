'use client';

import { newId } from '../new-id';
import type { ReadCache } from '../reads/read-cache';
import { askInTime } from '../wallet/ask-in-time';
import { requireAccount } from '../wallet/require-account';
import { giveRoomBack, takeRoom } from './kept-payments';
import { NoRoomError } from './no-room-error';
import type { PaymentDraft } from './payment-draft';
import { startPayment } from './payment-follower';

export { draftPayment } from './payment-draft';

/**
 * Has a draft signed, and hands the payment over to be followed.
 * @param isWanted whether the person still wants to pay it, asked once it is signed: what was left meanwhile, since the
 *   wallet did not answer, is never sent, and so never paid beside what took its place
 * @throws NoRoomError where it could not be kept; WalletTrouble; what the wallet refuses it for. Nothing is signed then.
 */
export async function signPayment(draft: PaymentDraft, reads: ReadCache, isWanted: () => boolean): Promise<void> {
  if (!takeRoom()) throw new NoRoomError();
  try {
    const { rail, wallet, amount, expiresAtMs } = draft;
    requireAccount(rail.family, wallet.address);
    const payment = await askInTime(draft.sign());
    if (!isWanted()) return;
    const { family, network, rpcNetwork, isStandIn, title, symbol } = rail;
    startPayment(
      {
        id: newId(),
        payment,
        family,
        payer: wallet.address,
        network,
        rpcNetwork,
        isStandIn,
        title,
        amount,
        symbol,
        signedAtMs: Date.now(),
        expiresAtMs,
      },
      reads,
    );
  } finally {
    giveRoomBack();
  }
}
