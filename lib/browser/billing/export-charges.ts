import { type CallCredential, type Charge, type ChargeQuery, listCharges } from '@/lib/client';
import { chargesCsv } from '@/lib/protocol/billing/charges-csv';
import { gatewayOptions } from '../gateway';

const PAGE_CHARGES = 500;
const CHARGES_MAX = 50_000;

/**
 * Exports all charges of a query as CSV (RFC 4180), newest first. `isWhole` is false if there were more than 50,000
 * charges.
 */
export async function exportCharges(
  credential: CallCredential | null,
  query: ChargeQuery,
): Promise<{ csv: string; isWhole: boolean }> {
  const charges: Charge[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listCharges>> = await listCharges(gatewayOptions(credential), {
      ...query,
      limit: PAGE_CHARGES,
      ...(cursor === null ? {} : { cursor }),
    });
    charges.push(...page.data);
    cursor = page.pagination.nextCursor;
  } while (cursor !== null && charges.length < CHARGES_MAX);
  return { csv: chargesCsv(charges), isWhole: cursor === null };
}
