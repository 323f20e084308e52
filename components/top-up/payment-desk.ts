'use client';

import { newId } from '@/lib/browser/page/new-id';
import type { ReadCache } from '@/lib/browser/reads/read-cache';
import { askInTime, requireAccount } from '@/lib/browser/wallet/ask-wallet';
import { giveRoomBack, takeRoom } from './tracked-payments';
import { NoRoomError } from './no-room-error';
import type { PaymentDraft } from './payment-draft';
import { startPayment } from './payment-follower';

export { draftPayment } from './payment-draft';

/**
 * Asks the wallet to sign a draft, and tracks the payment.
 * @param isWanted called after signing; if it returns false, the payment is never sent, so that the user cannot pay
 * twice
 * @throws NoRoomError if storage has no room; WalletTrouble; the wallet's refusal. Nothing is sent in these cases.
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
