import type { PresentedPayment } from '@/lib/protocol/x402/presented-payment';
import type { Payment } from '../db/payments';
import type { Rail, ReadPayment } from './rail';

/** What a payment was presented for: one call, and no other. */
export interface CallPurpose {
  /** Hash of the request: its method, path and content. */
  call: string;
  /** The least that may be paid for a call. */
  minimumNanoUsd: number;
}

/** Where a payment comes from, and what for: absent for a top-up. */
export interface PaymentOrigin {
  /** Address of the client, in its canonical form. */
  client?: string | null;
  purpose?: CallPurpose | null;
}

/** A payment as it was read. What is recorded of it is there where it was presented before. */
export type Presentation = { presented: PresentedPayment; payer: string; amountNanoUsd: number; isProven: boolean } & (
  | { rail: Rail; read: ReadPayment; recorded: Payment | null }
  | { rail: null; read: null; recorded: Payment }
);

/** The payment is good, and was presented for something else. */
export class PaymentUsed extends Error {
  override readonly name = 'PaymentUsed';

  /** Known by its name: bundles of one process have classes of their own. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'PaymentUsed';
  }
}
