import { GatewayError, readBalance } from '@/lib/client';
import { gatewayOptions } from './gateway';

const CHECK_WITHIN_MS = 5_000;

/**
 * Asks the gateway of this page whether a key is one that it takes, by reading its balance, which costs nothing.
 * @returns the gateway's own sentence where it refuses the key; null where it takes it, or does not say within five seconds
 */
export async function refusalOfKey(apiKey: string): Promise<string | null> {
  try {
    await readBalance(gatewayOptions({ kind: 'apiKey', apiKey }), { signal: AbortSignal.timeout(CHECK_WITHIN_MS) });
    return null;
  } catch (error) {
    return error instanceof GatewayError && error.status === 401 ? error.message : null;
  }
}
