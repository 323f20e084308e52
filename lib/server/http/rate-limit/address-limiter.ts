import { addressBlock } from '../ip-address';
import { MinuteLimiter } from './minute-limiter';

/**
 * Limits the requests per minute of a client address, for example to public endpoints. For IPv6, a /64 counts as one
 * address.
 */
export class AddressLimiter extends MinuteLimiter<string> {
  constructor(limit: number) {
    super(limit, 'one address');
  }

  override take(clientIp: string, now?: number): void {
    super.take(addressBlock(clientIp), now);
  }

  override giveBack(clientIp: string, now: number): void {
    super.giveBack(addressBlock(clientIp), now);
  }
}
