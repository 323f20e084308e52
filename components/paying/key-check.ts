import { GatewayError, readBalance } from '@/lib/client';
import { watchedFetch } from '@/lib/browser/connection/connection';
import { gatewayOptions } from '@/lib/browser/reads/gateway';

const CHECK_WITHIN_MS = 5_000;
const OPERATOR_FIGURES_PATH = '/api/v1/operator/figures';

/**
 * Checks a key by reading its balance, which costs nothing.
 * @returns the gateway's refusal (401); null for any other outcome, and after 5 s
 */
export async function refusalOfKey(apiKey: string): Promise<string | null> {
  try {
    await readBalance(gatewayOptions({ kind: 'apiKey', apiKey }), { signal: AbortSignal.timeout(CHECK_WITHIN_MS) });
    return null;
  } catch (error) {
    return error instanceof GatewayError && error.status === 401 ? error.message : null;
  }
}

/** Returns whether a key is the operator's, which cannot make calls. Never rejects. */
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
