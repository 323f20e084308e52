import { addressBlock } from '../ip-address';
import { MinuteLimiter } from './minute-limiter';

/** Requests a minute of one client address to endpoints that need no credential; of an IPv6 address, its /64. */
export class AddressLimiter extends MinuteLimiter<string> {
  constructor(limit: number) {
    super(limit, 'one address');
  }

  /** @param clientIp as `Call.clientIp` gives it. */
  override take(clientIp: string, now?: number): void {
    super.take(addressBlock(clientIp), now);
  }

  override giveBack(clientIp: string, now: number): void {
    super.giveBack(addressBlock(clientIp), now);
  }
}
