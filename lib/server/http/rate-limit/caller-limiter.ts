import { MinuteLimiter } from './minute-limiter';

/** Limits requests per minute of an account, by any credential, to endpoints other than the RPC proxy. */
export class CallerLimiter extends MinuteLimiter<number | string> {
  constructor(limit: number) {
    super(limit, 'one caller, to all endpoints except the RPC proxy');
  }
}
