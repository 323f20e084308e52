import { TurnpikeError } from '../turnpike-error';
import { asked, otherAccount, otherFamily, type Wallet } from './wallet';
import { base64, payOnSolana } from './solana-signer';

/** Wallet of the Wallet Standard, from `getWallets().get()` of @wallet-standard/app. */
export interface StandardWallet {
  readonly name: string;
  readonly accounts: readonly StandardWalletAccount[];
  readonly features: Readonly<Record<string, unknown>>;
}

interface StandardWalletAccount {
  readonly address: string;
  readonly chains: readonly string[];
}

const CONNECT = 'standard:connect';
const SIGN_MESSAGE = 'solana:signMessage';
const SIGN_TRANSACTION = 'solana:signTransaction';
const CHAIN = 'solana:mainnet';

interface Features {
  [CONNECT]?: { connect(): Promise<{ accounts: readonly StandardWalletAccount[] }> };
  [SIGN_MESSAGE]?: {
    signMessage(input: {
      account: StandardWalletAccount;
      message: Uint8Array;
    }): Promise<readonly { signedMessage: Uint8Array; signature: Uint8Array }[]>;
  };
  [SIGN_TRANSACTION]?: {
    signTransaction(input: {
      account: StandardWalletAccount;
      transaction: Uint8Array;
      chain: string;
    }): Promise<readonly { signedTransaction: Uint8Array }[]>;
  };
}

export function isStandardWallet(value: object): value is StandardWallet {
  const { accounts, features } = value as Partial<StandardWallet>;
  return Array.isArray(accounts) && typeof features === 'object' && features !== null;
}

/** Wraps a Solana wallet. The first call connects it. */
export function standardWallet(wallet: StandardWallet): Wallet {
  let last: StandardWalletAccount | null = null;
  const account = async (): Promise<StandardWalletAccount> => (last = await asked(() => connected(wallet)));
  const signText = async (text: string): Promise<string> => {
    const [from, message] = [await account(), new TextEncoder().encode(text)];
    const [signed] = await asked(() => feature(wallet, SIGN_MESSAGE).signMessage({ account: from, message }));
    if (signed === undefined || base64(signed.signedMessage) !== base64(message))
      throw new TurnpikeError('WALLET_FAILED', { message: 'The wallet signed a different text than requested.' });
    return base64(signed.signature);
  };
  return {
    family: 'solana',
    asksPerson: true,
    // A locked wallet shows no account.
    address: async () => (wallet.accounts.length === 0 && last !== null ? last : await account()).address,
    signText,
    signWithdrawal: async (draft) => {
      if (draft.family !== 'solana') throw otherFamily(draft);
      return signText(draft.text);
    },
    async pay(accepted, { from: payer, solanaRpcUrl }) {
      const from = await account();
      if (from.address !== payer) throw otherAccount(payer);
      const signTransaction = async (transaction: Uint8Array): Promise<Uint8Array> => {
        const [signed] = await asked(() =>
          feature(wallet, SIGN_TRANSACTION).signTransaction({ account: from, transaction, chain: CHAIN }),
        );
        if (signed === undefined)
          throw new TurnpikeError('WALLET_FAILED', { message: 'The wallet answered without a transaction.' });
        return signed.signedTransaction;
      };
      return payOnSolana(accepted, { address: from.address, signTransaction }, solanaRpcUrl);
    },
  };
}

async function connected(wallet: StandardWallet): Promise<StandardWalletAccount> {
  const present = wallet.accounts.find(isSolana);
  if (present) return present;
  const { accounts } = await feature(wallet, CONNECT).connect();
  const chosen = accounts.find(isSolana);
  if (chosen === undefined) throw new TurnpikeError('ACCOUNT_EMPTY');
  return chosen;
}

function isSolana({ chains }: StandardWalletAccount): boolean {
  return chains.some((chain) => chain.startsWith('solana:'));
}

function feature<Name extends keyof Features>(
  { name: who, features }: StandardWallet,
  name: Name,
): NonNullable<Features[Name]> {
  const found = (features as Features)[name];
  if (found === undefined)
    throw new TurnpikeError('WALLET_FAILED', { message: `${who} does not support ${name}, which this call needs.` });
  return found;
}
