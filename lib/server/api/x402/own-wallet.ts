import { apiError } from '@/lib/protocol/errors';
import { walletKey } from '@/lib/protocol/wallet-address';
import type { Call } from '../../http/call';
import type { Auth } from '../../auth/auth';
import type { WalletCaller } from '../../auth/caller';

/**
 * The wallet of the path, signed in as itself.
 * @throws ApiError 401 without a sign-in or with one that does not hold, 403 for another wallet, 429 beyond the cap.
 */
export async function identifyOwnWallet(call: Call, auth: Auth): Promise<WalletCaller> {
  const caller = await auth.identifyWallet(call);
  auth.limit(caller, call);
  if (walletKey(call.params.walletAddress ?? '')?.key !== caller.wallet) {
    throw apiError('FORBIDDEN', {
      message: 'A wallet reads its own balance and transactions only.',
      hint: 'Sign in with the wallet whose address is in the path.',
    });
  }
  return caller;
}
