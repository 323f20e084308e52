import {
  type CallCredential,
  type ChargeQuery,
  listCharges,
  listRequests,
  type RequestQuery,
  type TurnpikeClientOptions,
} from '@/lib/client';
import { chargesCsv, requestsCsv } from '@/lib/protocol/billing/usage-csv';
import { gatewayOptions } from '@/lib/browser/reads/gateway';

const PAGE_ROWS = 500;
const ROWS_MAX = 50_000;

/** CSV (RFC 4180), newest first. `isWhole` is false beyond 50,000 rows. */
export interface ExportedList {
  csv: string;
  isWhole: boolean;
}

export async function exportCharges(credential: CallCredential | null, query: ChargeQuery): Promise<ExportedList> {
  const { rows, isWhole } = await allPages(listCharges, credential, query);
  return { csv: chargesCsv(rows), isWhole };
}

export async function exportRequests(credential: CallCredential | null, query: RequestQuery): Promise<ExportedList> {
  const { rows, isWhole } = await allPages(listRequests, credential, query);
  return { csv: requestsCsv(rows), isWhole };
}

interface Page<Row> {
  data: readonly Row[];
  pagination: { nextCursor: string | null };
}

async function allPages<Row, Query extends object>(
  list: (options: TurnpikeClientOptions, query: Query & { limit: number; cursor?: string }) => Promise<Page<Row>>,
  credential: CallCredential | null,
  query: Query,
): Promise<{ rows: Row[]; isWhole: boolean }> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<Row> = await list(gatewayOptions(credential), {
      ...query,
      limit: PAGE_ROWS,
      ...(cursor === null ? {} : { cursor }),
    });
    rows.push(...page.data);
    cursor = page.pagination.nextCursor;
  } while (cursor !== null && rows.length < ROWS_MAX);
  return { rows, isWhole: cursor === null };
}
