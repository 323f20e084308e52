import { minuteEnd, requestsIn, type RunningMinute } from '@/lib/protocol/running-minute';
import type { Refusal } from '../meter';

/**
 * Returns why an RPC request exceeds its caller's requests per minute, or null (spec, "Limits"). A batch is one
 * request. Replays count; refusals do not.
 *
 * @param limit cap of the caller's tier; null if none
 */
export function minuteRefusal(minute: RunningMinute, limit: number | null, now: number): Refusal | null {
  if (limit === null || requestsIn(minute, now) < limit) return null;
  return { reason: 'minute-cap', limit, remaining: 0, resetAt: minuteEnd(minute) };
}
