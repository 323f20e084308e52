import { MinuteLimiter } from './minute-limiter';

/**
 * Limits how many requests per minute an account may send to endpoints other than the RPC proxy. Requests with all of
 * its credentials count together.
 */
export class CallerLimiter extends MinuteLimiter<number | string> {
  constructor(limit: number) {
    super(limit, 'one caller, to all endpoints except the RPC proxy');
  }
}
