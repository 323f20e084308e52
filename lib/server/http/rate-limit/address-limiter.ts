import { addressBlock } from '../ip-address';
import { MinuteLimiter } from './minute-limiter';

/**
 * Limits how many requests per minute a client address may send to endpoints that need no credentials. For IPv6, a /64
 * counts as one address.
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
