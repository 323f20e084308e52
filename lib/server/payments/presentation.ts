import type { PresentedPayment } from '@/lib/protocol/x402/presented-payment';
import type { Payment } from '../db/payments';
import type { Rail, ReadPayment } from './rail';

export interface CallPurpose {
  /** Hash of the request's method, path and content. */
  call: string;
  minimumNanoUsd: number;
}

/** Origin and purpose of a payment. A top-up has no purpose. */
export interface PaymentOrigin {
  client?: string | null;
  purpose?: CallPurpose | null;
}

/** Parsed payment, with its record if it was presented before. */
export type Presentation = { presented: PresentedPayment; payer: string; amountNanoUsd: number; isProven: boolean } & (
  | { rail: Rail; read: ReadPayment; recorded: Payment | null }
  | { rail: null; read: null; recorded: Payment }
);

/** A valid payment that was presented for another purpose. */
export class PaymentUsed extends Error {
  override readonly name = 'PaymentUsed';

  /** Compares names, because each bundle has its own copy of the class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'PaymentUsed';
  }
}
