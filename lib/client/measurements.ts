import { checkMeasurementLog, type LogHead, type LogVerdict } from '@/lib/protocol/attestation/measurement-log';
import { MEASUREMENTS_MAX } from '@/lib/protocol/attestation/measurement-log';
import { list, nullable, number, object, text } from './answer-schema';
import { type CallOptions, exchanger, fitting, type TurnpikeClientOptions } from './exchange';
import { fetchReceiptKeys } from './receipts/fetch-receipt';

const page = object({ entries: list(object({ signature: text })), next: nullable(number) });

/**
 * Fetches a gateway's whole log of measurements, and checks it here.
 *
 * @param known head of an earlier check of this gateway. A log that contradicts it has the fault `fork`
 * @throws {GatewayError | UnreachableError}
 */
export async function fetchMeasurementLog(
  options: Pick<TurnpikeClientOptions, 'baseUrl' | 'fetch'>,
  { known = null, ...callOptions }: CallOptions & { known?: LogHead | null } = {},
): Promise<LogVerdict> {
  const send = exchanger(options);
  const signatures: string[] = [];
  for (let after: number | null = 0; after !== null && signatures.length < MEASUREMENTS_MAX; ) {
    const answer = await send('GET', `/api/v1/tee/measurements?after=${after}`, callOptions);
    const { entries, next }: ReturnType<typeof page> = await fitting(page, answer);
    signatures.push(...entries.map(({ signature }) => signature));
    after = entries.length === 0 ? null : next;
  }
  // Fetched last, because a key of a newer entry may be new.
  const keys = await fetchReceiptKeys(options, callOptions);
  return checkMeasurementLog({ signatures, keys, known });
}
