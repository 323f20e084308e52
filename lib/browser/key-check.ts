import { GatewayError, readBalance } from '@/lib/client';
import { watchedFetch } from './connection/connection';
import { gatewayOptions } from './gateway';

const CHECK_WITHIN_MS = 5_000;
const OPERATOR_FIGURES_PATH = '/api/v1/operator/figures';

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

/** Whether it is the key of this gateway's operator, which is none to call with. Never rejects. */
export async function isOperatorKey(key: string): Promise<boolean> {
  const init = {
    method: 'HEAD',
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(CHECK_WITHIN_MS),
  };
  return watchedFetch(OPERATOR_FIGURES_PATH, init).then(
    ({ ok }) => ok,
    () => false,
  );
}
