'use client';

import type { PaymentOutcome } from '@/lib/client';
import { createStoredValue, useStoredValue } from '@/lib/browser/storage/stored-value';
import type { KeptPayment } from './tracked-payments';
import type { PayRail } from '@/lib/browser/wallet/pay-rails';

/** Credited payment that was made in this browser. */
export interface KeptReceipt extends Pick<PayRail, 'family' | 'network' | 'rpcNetwork' | 'isStandIn'> {
  paymentId: string;
  transaction: string;
  /** Absent in receipts of earlier versions. */
  details?: ReceiptDetails;
}

export interface ReceiptDetails {
  payer: string;
  title: string;
  /** Whole tokens, such as `12.50`. */
  amount: string;
  symbol: string;
  creditedUsd: number;
  /** Time when this browser learned of the credit, Unix milliseconds. */
  creditedAtMs: number;
}

const RECEIPTS_MAX = 100;

const receiptStore = createStoredValue<readonly KeptReceipt[]>({
  key: 'turnpike.receipts',
  initial: [],
  parse: parseReceipts,
});

export function useReceipts(): readonly KeptReceipt[] {
  return useStoredValue(receiptStore);
}

export function keepReceipt(receipt: KeptReceipt): void {
  receiptStore.set(
    [receipt, ...receiptStore.get().filter(({ paymentId }) => paymentId !== receipt.paymentId)].slice(0, RECEIPTS_MAX),
  );
}

export function receiptOf(
  { family, network, rpcNetwork, isStandIn, payer, title, amount, symbol }: KeptPayment,
  { paymentId, transaction, amountCreditedUsd }: Extract<PaymentOutcome, { state: 'credited' }>,
  nowMs = Date.now(),
): KeptReceipt {
  return {
    paymentId,
    transaction,
    family,
    network,
    rpcNetwork,
    isStandIn,
    details: { payer, title, amount, symbol, creditedUsd: amountCreditedUsd, creditedAtMs: nowMs },
  };
}

export function parseReceipts(stored: unknown): readonly KeptReceipt[] | null {
  if (!Array.isArray(stored)) return null;
  return stored
    .filter(isReceipt)
    .map(({ details, ...receipt }) => (isDetails(details) ? { ...receipt, details } : receipt))
    .slice(0, RECEIPTS_MAX);
}

function isReceipt(value: unknown): value is KeptReceipt {
  if (typeof value !== 'object' || value === null) return false;
  const { paymentId, transaction, family, network, rpcNetwork, isStandIn } = value as Record<
    keyof KeptReceipt,
    unknown
  >;
  return (
    [paymentId, network, rpcNetwork].every((text) => typeof text === 'string') &&
    typeof transaction === 'string' &&
    /^[0-9A-Za-z]*$/.test(transaction) &&
    (family === 'evm' || family === 'solana') &&
    typeof isStandIn === 'boolean'
  );
}

function isDetails(value: unknown): value is ReceiptDetails {
  if (typeof value !== 'object' || value === null) return false;
  const { payer, title, amount, symbol, creditedUsd, creditedAtMs } = value as Record<keyof ReceiptDetails, unknown>;
  return (
    [payer, title, amount, symbol].every((text) => typeof text === 'string') &&
    [creditedUsd, creditedAtMs].every((number) => typeof number === 'number' && Number.isFinite(number))
  );
}
