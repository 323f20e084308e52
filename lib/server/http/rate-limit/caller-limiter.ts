import { MinuteLimiter } from './minute-limiter';

/**
 * Requests a minute of one caller to endpoints other than the RPC proxy: by account, whichever of its keys or its
 * wallet calls; by address where a wallet has no account yet.
 */
export class CallerLimiter extends MinuteLimiter<number | string> {
  constructor(limit: number) {
    super(limit, 'one caller to endpoints other than the RPC proxy');
  }
}
