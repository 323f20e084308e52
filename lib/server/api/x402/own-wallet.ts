import { standardErrorSchema } from '@/lib/protocol/error-bodies';
import { apiError } from '@/lib/protocol/errors';
import { walletKey } from '@/lib/protocol/wallet-address';
import { z } from 'zod';
import type { Auth } from '../../auth/auth';
import type { WalletCaller } from '../../auth/caller';
import type { Call } from '../../http/call';
import type { Operation } from '../../http/operation';
import { TOO_MANY_OF_CALLER } from '../openapi/refusals';

export const walletParameter = {
  name: 'walletAddress',
  in: 'path' as const,
  required: true,
  description: 'An EVM or Solana address',
  schema: z.string(),
  example: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
};

export const WALLET_REFUSALS: Operation['responses'] = {
  401: {
    description: 'The sign-in is missing or not valid',
    schema: standardErrorSchema,
    codes: ['UNAUTHORIZED', 'SIGN_IN_EXPIRED'],
  },
  403: { description: 'The sign-in is by another wallet', schema: standardErrorSchema, codes: ['FORBIDDEN'] },
  429: TOO_MANY_OF_CALLER,
  503: {
    description: 'The chain of a contract wallet, or the database, does not answer',
    schema: standardErrorSchema,
    codes: ['SIGN_IN_UNVERIFIABLE', 'STORE_UNAVAILABLE'],
  },
};

/**
 * Identifies the caller's wallet, which must be the wallet in the path.
 * @throws ApiError 401 without a valid sign-in, 403 for another wallet, 429 above the rate limit, 503 (see
 * `SignInVerifier.verify`)
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
