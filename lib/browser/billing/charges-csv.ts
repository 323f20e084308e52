import { type CallCredential, type Charge, type ChargeQuery, listCharges } from '@/lib/client';
import { csvText } from '../csv';
import { gatewayOptions } from '../gateway';

const PAGE_CHARGES = 500;
/** More than a spreadsheet is pleasant with; the rest is said to be missing. */
const CHARGES_MAX = 50_000;

const COLUMNS = [
  'time',
  'resource',
  'detail',
  'units',
  'amount_usd',
  'daily_allocation_usd',
  'bundled_credits_usd',
  'usd',
  'x402_usd',
  'key',
  'request_id',
] as const;

/** All charges of a query as CSV (RFC 4180), newest first. `isWhole` is false where there were more than 50,000. */
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

/** Charges as CSV with a header line. */
export function chargesCsv(charges: readonly Charge[]): string {
  return csvText(
    COLUMNS,
    charges.map(({ timestamp, resource, detail, units, amount, pots, apiKey, requestId }) => [
      timestamp,
      resource,
      detail,
      String(units),
      amount,
      pots.DIEM ?? '0',
      pots.BUNDLED_CREDITS ?? '0',
      pots.USD ?? '0',
      pots.X402 ?? '0',
      apiKey === null ? 'wallet' : `…${apiKey.last6} ${apiKey.description}`.trim(),
      requestId,
    ]),
  );
}
