import { minuteEnd, requestsIn, type RunningMinute } from '@/lib/protocol/running-minute';
import type { Refusal } from '../meter';

/**
 * Why a request of the RPC proxy goes beyond its caller's cap a minute, or null (spec, "Limits": requests per minute per
 * caller). A batch is one request; what is refused does not count; an answer that is replayed does.
 *
 * @param limit of the caller's tier; null for none
 */
export function minuteRefusal(minute: RunningMinute, limit: number | null, now: number): Refusal | null {
  if (limit === null || requestsIn(minute, now) < limit) return null;
  return { reason: 'minute-cap', limit, remaining: 0, resetAt: minuteEnd(minute) };
}
