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

const page = object({ entries: list(object({ signature: text })), next: nullable(number) });

/**
 * Fetches a gateway's whole measurement log and checks it in the client.
 *
 * @param known the log's head from an earlier check of this gateway. A log that contradicts this head gets the fault
 *   `fork`
 * @throws {GatewayError | UnreachableError}
 */
export async function fetchMeasurementLog(
  options: Pick<TurnpikeClientOptions, 'baseUrl' | 'fetch'>,
  { known = null, ...callOptions }: CallOptions & { known?: LogHead | null } = {},
): Promise<LogVerdict> {
  const send = exchanger(options);
  const signatures: string[] = [];
  let after: number | null = 0;
  for (let pages = 0; after !== null && pages < PAGES_MAX; pages += 1) {
    const answer = await send('GET', `/api/v1/tee/measurements?after=${after}`, callOptions);
    const { entries, next }: ReturnType<typeof page> = await fitting(page, answer);
    signatures.push(...entries.map(({ signature }) => signature));
    after = entries.length === 0 ? null : next;
  }
  // Fetched after the log, because the newest entries may have new signing keys.
  const keys = await fetchReceiptKeys(options, callOptions);
  return checkMeasurementLog({ signatures, keys, known });
}

/**
 * Returns the Unix time in seconds since which a log contains all measurements of a verdict. Null if any is missing.
 */
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
