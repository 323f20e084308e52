import { apiError } from '@/lib/protocol/errors';
import { walletKey } from '@/lib/protocol/wallet-address';
import type { Call } from '../../http/call';
import type { Auth } from '../../auth/auth';
import type { WalletCaller } from '../../auth/caller';

/**
 * Identifies the caller's wallet, which must be the wallet in the path.
 * @throws ApiError 401 without a valid sign-in, 403 for another wallet, 429 beyond the rate limit
 */
export async function identifyOwnWallet(call: Call, auth: Auth): Promise<WalletCaller> {
  const caller = await auth.identifyWallet(call);
  auth.limit(caller, call);
  if (walletKey(call.params.walletAddress ?? '')?.key !== caller.wallet) {
    throw apiError('FORBIDDEN', {
      message: 'A wallet can read only its own balance and transactions.',
      hint: 'Sign in with the wallet whose address is in the path.',
    });
  }
  return caller;
}
