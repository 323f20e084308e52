import { csvText } from '../csv';

const CHARGE_COLUMNS = [
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

/** Charge in the JSON format of `GET /billing/usage`. */
interface WrittenCharge {
  timestamp: string;
  resource: string;
  detail: string;
  units: number;
  amount: string;
  pots: Readonly<Partial<Record<string, string>>>;
  apiKey: { last6: string; description: string } | null;
  requestId: string;
}

/** Formats charges as CSV (RFC 4180) with a header line and exact amounts. */
export function chargesCsv(charges: readonly WrittenCharge[]): string {
  return csvText(
    CHARGE_COLUMNS,
    charges.map(({ timestamp, resource, detail, units, amount, pots, apiKey, requestId }) => [
      timestamp,
      resource,
      detail,
      String(units),
      amount,
      pots['DIEM'] ?? '0',
      pots['BUNDLED_CREDITS'] ?? '0',
      pots['USD'] ?? '0',
      pots['X402'] ?? '0',
      apiKey === null ? 'wallet' : `…${apiKey.last6} ${apiKey.description}`.trim(),
      requestId,
    ]),
  );
}

const REQUEST_COLUMNS = [
  'time',
  'product',
  'network',
  'method',
  'model',
  'status',
  'code',
  'cut',
  'duration_ms',
  'units',
  'amount_usd',
  'key',
  'request_id',
] as const;

interface WrittenRequest {
  timestamp: string;
  product: string;
  network: string | null;
  method: string | null;
  model: string | null;
  status: number;
  code: string | null;
  cut: boolean;
  durationMs: number;
  units: number;
  amount: string;
  apiKey: { last6: string; description: string } | null;
  requestId: string;
}

/** Formats requests as CSV (RFC 4180) with a header line and exact amounts. */
export function requestsCsv(requests: readonly WrittenRequest[]): string {
  return csvText(
    REQUEST_COLUMNS,
    requests.map((request) => [
      request.timestamp,
      request.product,
      request.network ?? '',
      request.method ?? '',
      request.model ?? '',
      String(request.status),
      request.code ?? '',
      request.cut ? 'yes' : 'no',
      String(request.durationMs),
      String(request.units),
      request.amount,
      request.apiKey === null ? 'wallet' : `…${request.apiKey.last6} ${request.apiKey.description}`.trim(),
      request.requestId,
    ]),
  );
}
