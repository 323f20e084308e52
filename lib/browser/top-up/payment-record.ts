import type { Movement } from '@/lib/client';
import type { PayRail } from './pay-rails';
import type { KeptReceipt } from './receipts';

/** All that a printed receipt of a top-up says. */
export interface PaymentRecord {
  /** The payment's id: the number of the receipt. */
  number: string;
  creditedAtMs: number;
  creditedUsd: number;
  /** Whole tokens with their symbol, as `12.50 USDC`. */
  paid: string;
  payer: string;
  /** For people; its CAIP-2 where no name is known. */
  networkTitle: string;
  /** CAIP-2. */
  network: string;
  /** null where nobody says it. */
  transaction: string | null;
  /** For a link to it. */
  rail: Pick<PayRail, 'family' | 'network' | 'rpcNetwork' | 'isStandIn'> | null;
  /** The gateway's address on that chain; null where it takes no payments there any more. */
  payTo: string | null;
}

/** The record of a payment that this browser made; null for a receipt of an earlier version, which lacks most of it. */
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

/** The record of a top-up by what the gateway says of it, whichever browser or program made it. */
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

/** Where the receipt of a payment is, from the root. */
export function receiptHref(paymentId: string): string {
  return `/top-up?${new URLSearchParams({ receipt: paymentId }).toString()}`;
}

/** The payment that an address asks for; null for none, or what is no id. */
export function readReceiptId(search: Pick<URLSearchParams, 'get'>): string | null {
  const id = search.get('receipt') ?? '';
  return /^[\w-]{1,80}$/.test(id) ? id : null;
}
