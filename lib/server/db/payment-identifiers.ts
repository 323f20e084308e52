import type { Payment } from './payments';
import type { Database } from './schema';

/** Extension "payment-identifier" of x402. */
interface PaymentIdentifier {
  payer: string;
  identifier: string;
}

/**
 * Finds the payment to which a payer gave an identifier. Ignores failed payments: they moved no money, so their
 * identifiers are free again.
 * @param after Unix milliseconds; the identifiers of older payments have expired
 */
export function findPaymentByIdentifier(
  db: Database,
  { payer, identifier }: PaymentIdentifier,
  after: number,
): Promise<Payment | undefined> {
  return db
    .selectFrom('payments')
    .selectAll()
    .where('payer', '=', payer)
    .where('identifier', '=', identifier)
    .where('created_at', '>', after)
    .where('state', '!=', 'failed')
    .executeTakeFirst();
}

/** Removes an identifier from its payment, if the payment failed or was made before `after`. */
export async function freeIdentifier(
  db: Database,
  { payer, identifier }: PaymentIdentifier,
  after: number,
): Promise<void> {
  await db
    .updateTable('payments')
    .set({ identifier: null })
    .where('payer', '=', payer)
    .where('identifier', '=', identifier)
    .where((row) => row.or([row('created_at', '<=', after), row('state', '=', 'failed')]))
    .execute();
}

export async function forgetIdentifiers(db: Database, after: number): Promise<void> {
  await db
    .updateTable('payments')
    .set({ identifier: null })
    .where('identifier', 'is not', null)
    .where('created_at', '<=', after)
    .execute();
}
