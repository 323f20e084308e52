import { MinuteLimiter } from './minute-limiter';

/**
 * Limits an account's requests per minute to endpoints other than the RPC proxy. Counts requests with any of its
 * credentials together.
 */
export class CallerLimiter extends MinuteLimiter<number | string> {
  constructor(limit: number) {
    super(limit, 'one caller, to all endpoints except the RPC proxy');
  }
}
