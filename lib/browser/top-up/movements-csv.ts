import type { Movement } from '@/lib/client';
import { csvText } from '../csv';
import type { KeptReceipt } from './receipts';

const COLUMNS = [
  'time',
  'type',
  'amount_usd',
  'balance_after_usd',
  'model',
  'request_or_payment_id',
  'network',
  'transaction',
] as const;

/** Movements as CSV (RFC 4180) with a header line; the transaction where this browser made the payment. */
export function movementsCsv(movements: readonly Movement[], receipts: readonly KeptReceipt[]): string {
  const receiptOf = new Map(receipts.map((receipt) => [receipt.paymentId, receipt]));
  return csvText(
    COLUMNS,
    movements.map(({ createdAt, type, amount, balanceAfter, modelId, requestId, network, transaction }) => {
      const receipt = receiptOf.get(requestId);
      return [
        createdAt,
        type,
        exactUsd(amount),
        exactUsd(balanceAfter),
        modelId ?? '',
        requestId,
        network ?? receipt?.network ?? '',
        transaction ?? receipt?.transaction ?? '',
      ];
    }),
  );
}

/** To the ninth place, in digits: the ledger's unit is a billionth of a dollar. */
function exactUsd(usd: number): string {
  return usd.toFixed(9);
}
