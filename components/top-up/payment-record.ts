import type { Movement } from '@/lib/client';
import type { PayRail } from '@/lib/browser/wallet/pay-rails';
import type { KeptReceipt } from './receipts';

export interface PaymentRecord {
  /** Payment id, used as receipt number. */
  number: string;
  creditedAtMs: number;
  creditedUsd: number;
  /** Whole tokens with their symbol, such as `12.50 USDC`. */
  paid: string;
  payer: string;
  /** Display name of the network; its CAIP-2 id if unknown. */
  networkTitle: string;
  /** CAIP-2 id. */
  network: string;
  transaction: string | null;
  rail: Pick<PayRail, 'family' | 'network' | 'rpcNetwork' | 'isStandIn'> | null;
  /** The gateway's receiving address; null if the chain is unknown or no longer offered. */
  payTo: string | null;
}

/**
 * Returns the record of a payment made in this browser; null for a receipt of an earlier version, because such a
 * receipt lacks the details.
 */
export function recordOfReceipt({ details, ...receipt }: KeptReceipt, rails: readonly PayRail[]): PaymentRecord | null {
  if (details === undefined) return null;
  const { payer, title, amount, symbol, creditedUsd, creditedAtMs } = details;
  return {
    number: receipt.paymentId,
    creditedAtMs,
    creditedUsd,
    paid: `${amount} ${symbol}`,
    payer,
    networkTitle: title,
    network: receipt.network,
    transaction: receipt.transaction === '' ? null : receipt.transaction,
    rail: receipt,
    payTo: rails.find(({ network }) => network === receipt.network)?.payTo ?? null,
  };
}

/** Returns the record of any top-up, from the gateway's data. */
export function recordOfMovement(
  { requestId, amount, createdAt, network = null, transaction = null }: Movement,
  payer: string,
  rails: readonly PayRail[],
): PaymentRecord {
  const rail = rails.find((each) => each.network === network) ?? null;
  return {
    number: requestId,
    creditedAtMs: Date.parse(createdAt),
    creditedUsd: amount,
    paid: `${amount.toFixed(6).replace(/(\.\d{2}\d*?)0+$/, '$1')} ${rail?.symbol ?? 'USDC'}`,
    payer,
    networkTitle: rail?.title ?? network ?? '',
    network: network ?? '',
    transaction,
    rail,
    payTo: rail?.payTo ?? null,
  };
}

export function receiptHref(paymentId: string): string {
  return `/top-up?${new URLSearchParams({ receipt: paymentId }).toString()}`;
}

/** Returns the payment id in a URL; null if missing or invalid. */
export function readReceiptId(search: Pick<URLSearchParams, 'get'>): string | null {
  const id = search.get('receipt') ?? '';
  return /^[\w-]{1,80}$/.test(id) ? id : null;
}
