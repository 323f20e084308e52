import { MinuteLimiter } from './minute-limiter';

/**
 * Limits how many requests per minute an account may send, by any credential, to endpoints other than the RPC proxy.
 */
export class CallerLimiter extends MinuteLimiter<number | string> {
  constructor(limit: number) {
    super(limit, 'one caller, to all endpoints except the RPC proxy');
  }
}
