import { familyOfChain, isSameAddress } from '@/lib/protocol/wallet-address';
import type { PresentedPayment } from '@/lib/protocol/x402/presented-payment';
import type { Payment } from '../db/payments';
import type { Rail, ReadPayment } from './rail';

export interface CallPurpose {
  /** Hash of the request's method, path and content. */
  call: string;
  minimumNanoUsd: number;
}

/** Client IP address and purpose of a payment. A top-up has no `purpose`. */
export interface PaymentOrigin {
  client?: string | null;
  purpose?: CallPurpose | null;
}

/**
 * A parsed payment with its record. If the payer sent an earlier payment with the same identifier, the record is that
 * of the earlier payment.
 */
export type Presentation = { presented: PresentedPayment; payer: string; amountNanoUsd: number; isProven: boolean } & (
  | { rail: Rail; read: ReadPayment; recorded: Payment | null }
  | { rail: null; read: null; recorded: Payment }
);

/** Error for a valid payment that was already presented for another purpose. */
export class PaymentUsed extends Error {
  override readonly name = 'PaymentUsed';

  /** Compares class names, because each bundle has its own copy of the class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'PaymentUsed';
  }
}

/** Error for a payment whose identifier the payer already used for a payment with different terms. */
export class IdentifierReused extends Error {
  override readonly name = 'IdentifierReused';

  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'IdentifierReused';
  }
}

export type PaymentTerms = Pick<Payment, 'network' | 'asset' | 'pay_to' | 'amount_units' | 'call'>;

/**
 * Checks that a payment has the same terms as the earlier payment with its identifier.
 * @throws IdentifierReused
 */
export function requireSameTerms(earlier: PaymentTerms, repeated: PaymentTerms): void {
  const family = familyOfChain(repeated.network);
  const isSame =
    earlier.network === repeated.network &&
    isSameAddress(family, earlier.asset, repeated.asset) &&
    isSameAddress(family, earlier.pay_to, repeated.pay_to) &&
    earlier.amount_units === repeated.amount_units &&
    earlier.call === repeated.call;
  if (!isSame)
    throw new IdentifierReused(
      'This payment identifier was used with another request, amount, token or receiver. This payment was not taken. Use a new identifier for each payment.',
    );
}
