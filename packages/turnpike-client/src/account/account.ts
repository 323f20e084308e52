import { TurnpikeError } from '../turnpike-error';
import { type Eip1193Provider, eip1193Wallet, isEip1193Provider } from './eip1193-provider';
import {
  type EvmAccount,
  type EvmWalletClient,
  evmAccountWallet,
  evmWalletClientWallet,
  isEvmAccount,
  isEvmWalletClient,
} from './evm-account';
import { isSolanaSigner, type SolanaSigner, solanaSignerWallet } from './solana-signer';
import { isStandardWallet, type StandardWallet, standardWallet } from './standard-wallet';
import type { Wallet } from './wallet';

/** API key, or a wallet of any supported kind. */
export type TurnpikeAccount = string | EvmAccount | EvmWalletClient | SolanaSigner | Eip1193Provider | StandardWallet;

type Caller = { kind: 'apiKey'; apiKey: string } | { kind: 'wallet'; wallet: Wallet };

/** API key that a header can carry: 1 to 1,024 characters of visible ASCII. */
const API_KEY = /^[\x21-\x7e]{1,1024}$/;

/**
 * Recognizes an account.
 *
 * @throws {TurnpikeError} ACCOUNT_UNKNOWN, ACCOUNT_EMPTY or API_KEY_MALFORMED; the API key is never in the message
 */
export function readAccount(account: TurnpikeAccount): Caller {
  if (typeof account === 'string') {
    if (!API_KEY.test(account)) throw new TurnpikeError('API_KEY_MALFORMED');
    if (/^0x[0-9a-f]{64}$/i.test(account))
      throw new TurnpikeError('ACCOUNT_UNKNOWN', {
        message: 'This looks like a private key, not an API key. It was not sent.',
        remedy: 'Create an account from it first, with privateKeyToAccount of viem/accounts.',
      });
    return { kind: 'apiKey', apiKey: account };
  }
  const wallet = walletOf(account);
  if (wallet === null) throw new TurnpikeError('ACCOUNT_UNKNOWN');
  return { kind: 'wallet', wallet };
}

/** Tests wallet clients and Wallet Standard wallets first, because they may match the simpler kinds too. */
function walletOf(account: unknown): Wallet | null {
  if (typeof account !== 'object' || account === null) return null;
  if (isStandardWallet(account)) return standardWallet(account);
  if (isEvmWalletClient(account)) return evmWalletClientWallet(account);
  if (isEvmAccount(account)) return evmAccountWallet(account);
  if (isSolanaSigner(account)) return solanaSignerWallet(account);
  if (isEip1193Provider(account)) return eip1193Wallet(account);
  return null;
}
