import { MinuteLimiter } from './minute-limiter';

/** Requests a minute of one client address to endpoints that need no credential. */
export class AddressLimiter extends MinuteLimiter<string> {
  constructor(limit: number) {
    super(limit, 'one address');
  }
}
