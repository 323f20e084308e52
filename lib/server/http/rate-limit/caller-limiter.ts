import { MinuteLimiter } from './minute-limiter';

/** Requests a minute of one account to endpoints other than the RPC proxy, whichever of its keys or its wallet calls. */
export class CallerLimiter extends MinuteLimiter<number | string> {
  constructor(limit: number) {
    super(limit, 'one caller to endpoints other than the RPC proxy');
  }
}
