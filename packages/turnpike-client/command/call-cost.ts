import { listCharges } from '@/lib/client/billing';
import { pause } from '../src/shared-work';
import type { Turnpike } from '../src/turnpike';

/** An answer may be read to its end a moment before its charge is in the books. */
const RETRY_DELAYS_MS = [100, 400, 1_500];
const TIMEOUT_MS = 10_000;

/**
 * What the gateway charged for an answer, as it stands in its books: decimal USD, exact. Free.
 * @param requestId X-Request-ID of the answer
 * @returns null where nothing stands there, or the caller may not read it. Never rejects.
 */
export async function costOfRequest(
  { connection }: Pick<Turnpike, 'connection'>,
  requestId: string,
): Promise<string | null> {
  for (let attempt = 0; ; attempt++) {
    try {
      const { data } = await listCharges(
        connection,
        { requestId, limit: 1 },
        { signal: AbortSignal.timeout(TIMEOUT_MS) },
      );
      if (data[0] !== undefined) return data[0].amount;
    } catch {
      return null;
    }
    const delayMs = RETRY_DELAYS_MS[attempt];
    if (delayMs === undefined) return null;
    await pause(delayMs);
  }
}
