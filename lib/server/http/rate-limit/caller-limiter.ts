import { MinuteLimiter } from './minute-limiter';

/**
 * Limits how many requests per minute an account sends to endpoints other than the RPC proxy. Counts requests with all
 * of the account's credentials together.
 */
export class CallerLimiter extends MinuteLimiter<number | string> {
  constructor(limit: number) {
    super(limit, 'one caller, to all endpoints except the RPC proxy');
  }
}
