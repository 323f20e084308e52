import type { Movement } from '@/lib/client';
import { csvText } from '@/lib/protocol/csv';
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

/**
 * Formats movements as CSV (RFC 4180) with a header line. Takes network and transaction from the gateway, or else from
 * this browser's receipts.
 */
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

/** Formats USD to nine decimal places, the ledger's precision. */
function exactUsd(usd: number): string {
  return usd.toFixed(9);
}
