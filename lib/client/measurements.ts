import {
  checkMeasurementLog,
  type LogHead,
  type LogVerdict,
  measuredBy,
  measurementDigest,
} from '@/lib/protocol/attestation/measurement-log';
import type { ServedVerdict } from '@/lib/protocol/attestation/served-report';
import { list, nullable, number, object, text } from './answer-schema';
import { type CallOptions, exchanger, fitting, type TurnpikeClientOptions } from './exchange';
import { fetchReceiptKeys } from './receipts/fetch-receipt';

const PAGES_MAX = 100;
/** Number of newest log entries that are always checked. */
const ENTRIES_CHECKED = 4_500;

const page = object({
  entries: list(object({ seq: number, signature: text })),
  head: nullable(object({ seq: number })),
  next: nullable(number),
});
type Page = ReturnType<typeof page>;

interface ReadLog extends CallOptions {
  known?: Pick<LogHead, 'seq' | 'sha256'> | null;
  /** Model whose entries are fetched even if they are older than the checked part of the log. */
  model?: string;
}

/**
 * Fetches a gateway's measurement log. Checks the last ENTRIES_CHECKED entries, or all entries since the known head if
 * that head is older. Checks at most PAGES_MAX pages.
 *
 * @param known log's head at an earlier check of this gateway. A log that contradicts it has the fault `fork`
 * @throws {GatewayError | UnreachableError}
 */
export async function fetchMeasurementLog(
  options: Pick<TurnpikeClientOptions, 'baseUrl' | 'fetch'>,
  { known = null, model, ...callOptions }: ReadLog = {},
): Promise<LogVerdict> {
  const send = exchanger(options);
  const read = async (query: string): Promise<Page> =>
    fitting(page, await send('GET', `/api/v1/tee/measurements?${query}`, callOptions));
  const signaturesFrom = async (first: Page, filter: string, last = Infinity): Promise<string[]> => {
    const signatures: string[] = [];
    let at = first;
    for (let pages = 1; ; pages += 1) {
      const wanted = at.entries.filter(({ seq }) => seq <= last);
      signatures.push(...wanted.map(({ signature }) => signature));
      if (at.next === null || wanted.length < at.entries.length || wanted.length === 0 || pages === PAGES_MAX)
        return signatures;
      at = await read(`${filter}after=${at.next}`);
    }
  };
  const first = await read('after=0');
  const length = first.head?.seq ?? 0;
  const start = Math.max(0, Math.min(length - ENTRIES_CHECKED, Math.min(known?.seq ?? Infinity, length) - 1));
  const signatures = await signaturesFrom(start === 0 ? first : await read(`after=${start}`), '');
  const ofModel = model === undefined || start === 0 ? null : `model=${encodeURIComponent(model)}&`;
  const earlier = ofModel === null ? [] : await signaturesFrom(await read(`${ofModel}after=0`), ofModel, start);
  // Fetched after the log, because the newest entries may have new signing keys.
  const keys = await fetchReceiptKeys(options, callOptions);
  return checkMeasurementLog({ signatures, keys, known, from: start + 1, earlier });
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
