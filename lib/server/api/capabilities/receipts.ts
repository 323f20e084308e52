import type { ReceiptKeys } from '../../billing/receipts/receipt-keys';
import { ReceiptNotes } from '../../billing/receipts/receipt-notes';
import type { Database } from '../../db/schema';
import { receipt } from '../receipts';
import type { Capability } from './capability';
import type { ChatCapability } from './chat';
import type { Ground } from './ground';

/** Signs receipts of paid calls, with the enclave's proof if the model is attested. */
export function openReceipts(
  { config, log, now, rules: { origin } }: Ground,
  { db, receiptKeys: keys, chat }: { db: Database; receiptKeys: ReceiptKeys; chat: ChatCapability },
) {
  const { days, perAccountMax } = config.retention.receipts;
  return {
    notes: days === 0 ? null : new ReceiptNotes({ db, origin, perAccountMax, now, log }),
    endpoints: ({ auth }) => {
      const { access, seen } = chat;
      return [receipt({ auth, db, keys, models: chat.current.models, access, seen, log })];
    },
  } satisfies Capability & { notes: ReceiptNotes | null };
}
