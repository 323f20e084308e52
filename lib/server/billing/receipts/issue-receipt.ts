import { type EnclaveProof, LEDGER_NETWORK, type Receipt } from '@/lib/protocol/receipts/receipt';
import { readPayment } from '../../db/payments';
import type { ReceiptRow } from '../../db/receipts';
import type { Database } from '../../db/schema';
import type { ReceiptFacts } from './receipt-notes';

/** Returns the payload of a stored receipt, with the payment that came with its call. */
export async function receiptOf(db: Database, row: ReceiptRow): Promise<Receipt> {
  const { offer, ...facts } = JSON.parse(row.facts) as ReceiptFacts;
  const enclave = row.enclave === null ? null : (JSON.parse(row.enclave) as EnclaveProof);
  const payment = row.payment_id === null ? null : await readPayment(db, row.payment_id);
  return {
    ...facts,
    network: payment?.network ?? LEDGER_NETWORK,
    ...(payment?.transaction_id != null && { transaction: payment.transaction_id }),
    offer: {
      ...offer,
      ...(payment && {
        payment: {
          scheme: 'exact' as const,
          network: payment.network,
          asset: payment.asset,
          payTo: payment.pay_to,
          amount: payment.amount_units,
        },
      }),
    },
    ...(enclave && { enclave }),
  };
}
