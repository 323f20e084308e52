import {
  checkMeasurementLog,
  type LogHead,
  type LogVerdict,
  measuredBy,
  measurementDigest,
} from '@/lib/protocol/attestation/measurement-log';
import type { ServedVerdict } from '@/lib/protocol/attestation/served-report';
import { list, nullable, number, object, text } from './answer-schema';
import { GatewayError } from './client-errors';
import { type CallOptions, exchanger, fitting, type TurnpikeClientOptions } from './exchange';
import { fetchReceiptKeys } from './receipts/fetch-receipt';
import { waited } from './waited';

const PAGES_MAX = 100;
/** Number of newest log entries that a first look checks. */
const ENTRIES_CHECKED = 4_500;
const LIMIT = 200;
const RETRY_WAIT_MAX_MS = 60_000;

const page = object({
  entries: list(object({ seq: number, signature: text })),
  head: nullable(object({ seq: number })),
  next: nullable(number),
});
type Page = ReturnType<typeof page>;

interface ReadLog extends CallOptions {
  known?: Pick<LogHead, 'seq' | 'sha256'> | null;
  /** Model whose entries are fetched even from before the checked part. */
  model?: string;
}

/**
 * Fetches a gateway's measurement log. Checks entries since the known head, or else the last ENTRIES_CHECKED, each
 * read limited to PAGES_MAX. Waits once for a rate limit.
 *
 * @param known head at an earlier check. A log that contradicts it has the fault `fork`
 * @throws {GatewayError | UnreachableError}
 */
export async function fetchMeasurementLog(
  options: Pick<TurnpikeClientOptions, 'baseUrl' | 'fetch'>,
  { known = null, model, ...callOptions }: ReadLog = {},
): Promise<LogVerdict> {
  const send = exchanger(options);
  let mayWait = true;
  const read = async (query: string): Promise<Page> => {
    try {
      return await fitting(page, await send('GET', `/api/v1/tee/measurements?${query}&limit=${LIMIT}`, callOptions));
    } catch (error) {
      const waitMs = mayWait ? waitOf(error) : null;
      if (waitMs === null) throw error;
      mayWait = false;
      await waited(waitMs, options.baseUrl, callOptions.signal);
      return read(query);
    }
  };
  const signaturesFrom = async (first: Page, filter: string, last = Infinity): Promise<string[]> => {
    const signatures: string[] = [];
    let at = first;
    for (let pages = 1; ; pages += 1) {
      const wanted = at.entries.filter(({ seq }) => seq <= last);
      signatures.push(...wanted.map(({ signature }) => signature));
      if (at.next === null || wanted.length < at.entries.length || wanted.length === 0) return signatures;
      // Without its newest entries, a model's history would mislead.
      if (pages === PAGES_MAX) return last === Infinity ? signatures : [];
      at = await read(`${filter}after=${at.next}`);
    }
  };
  const expected = Math.max(0, (known?.seq ?? 0) - 1);
  const first = await read(`after=${expected}`);
  const length = first.head?.seq ?? 0;
  const start = Math.max(0, known === null ? length - ENTRIES_CHECKED : Math.min(known.seq, length) - 1);
  const signatures = await signaturesFrom(start === expected ? first : await read(`after=${start}`), '');
  const ofModel = model === undefined || start === 0 ? null : `model=${encodeURIComponent(model)}&`;
  const earlier = ofModel === null ? [] : await signaturesFrom(await read(`${ofModel}after=0`), ofModel, start);
  // Fetched after the log, because the newest entries may have new signing keys.
  const keys = await fetchReceiptKeys(options, callOptions);
  return checkMeasurementLog({ signatures, keys, known, from: start + 1, earlier });
}

/** Returns the wait that a 429 asks for; null for none or too long a wait. */
function waitOf(error: unknown): number | null {
  if (!(error instanceof GatewayError) || error.status !== 429 || error.detail.retryAtMs === null) return null;
  const waitMs = Math.max(0, error.detail.retryAtMs - Date.now());
  return waitMs > RETRY_WAIT_MAX_MS ? null : waitMs;
}

/** Returns the time (Unix seconds) since which a log contains all measurements of a verdict; null if any is missing. */
export function measuredSince(
  log: LogVerdict,
  model: string,
  verdict: Pick<ServedVerdict, 'conclusion' | 'enclaves'>,
): number | null {
  const measured = measuredBy(model, verdict);
  if (log.fault !== null || measured.length === 0) return null;
  const since = new Map(log.entries.map((entry) => [measurementDigest(entry), entry.at]));
  const times = measured.map((each) => since.get(measurementDigest(each)));
  return times.every((at) => at !== undefined) ? Math.max(...times) : null;
}
