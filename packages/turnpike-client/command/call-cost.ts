import { listCharges } from '@/lib/client/billing';
import { pause } from '../src/shared-work';
import type { Turnpike } from '../src/turnpike';

/** Delays between retries, because the gateway may record a charge shortly after its answer ends. */
const RETRY_DELAYS_MS = [100, 400, 1_500];
const TIMEOUT_MS = 10_000;

/**
 * Fetches the gateway's charge for an answer, as exact decimal USD. This lookup is free.
 * @param requestId X-Request-ID of the answer
 * @returns null if there is no charge, or if the account may not read charges; never rejects
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
