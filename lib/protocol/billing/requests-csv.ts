import { csvText } from '../csv';

const COLUMNS = [
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

/** Request in the JSON format of `GET /billing/requests`. */
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
    COLUMNS,
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
