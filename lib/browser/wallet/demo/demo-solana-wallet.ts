import { ed25519 } from '@noble/curves/ed25519.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import { base58 } from '@scure/base';
import { PublicKey, VersionedTransaction } from '@solana/web3.js';
import { createStoredValue } from '@/lib/browser/storage/stored-value';
import { type ApprovalDetails, userRejected } from './approval';
import { DEMO_WALLET_NAME, demoIcon } from './demo-evm-provider';
import { describeMessage, type KnownRail } from './describe-signature';
import { describeSolanaTransaction } from './describe-solana-transaction';

export interface DemoSolanaOptions {
  /** Seed of an ed25519 key (RFC 8032): 32 bytes in hex. */
  secret: `0x${string}`;
  rails: readonly KnownRail[];
  ask: (details: ApprovalDetails) => Promise<boolean>;
}

const CHAINS = ['solana:mainnet', 'solana:devnet'] as const;
const FEATURES = ['solana:signMessage', 'solana:signTransaction'] as const;

const permittedStore = createStoredValue<boolean>({
  key: 'turnpike.demo-solana-connected',
  initial: false,
  parse: (stored) => stored === true,
});

interface Account {
  address: string;
  publicKey: Uint8Array;
  chains: typeof CHAINS;
  features: typeof FEATURES;
}

type ChangeListener = (change: { accounts: readonly Account[] }) => void;

/** Wallet Standard wallet for Solana whose private key is in this browser. Signs nothing without the user's consent. */
export function demoSolanaWallet({ secret, rails, ask }: DemoSolanaOptions) {
  const seed = hexToBytes(secret.slice(2));
  const publicKey = ed25519.getPublicKey(seed);
  const address = base58.encode(publicKey);
  const account: Account = { address, publicKey, chains: CHAINS, features: FEATURES };
  const listeners = new Set<ChangeListener>();
  let accounts: readonly Account[] = [];
  const change = (next: readonly Account[]) => {
    accounts = next;
    permittedStore.set(next.length > 0);
    listeners.forEach((listener) => listener({ accounts }));
  };
  const approve = async (details: Omit<ApprovalDetails, 'family' | 'address'>) => {
    if (!(await ask({ family: 'solana', address, ...details }))) throw userRejected();
  };
  return {
    version: '1.0.0' as const,
    name: DEMO_WALLET_NAME,
    icon: demoIcon(),
    chains: CHAINS,
    get accounts() {
      return accounts;
    },
    features: {
      'standard:connect': {
        version: '1.0.0' as const,
        connect: ({ silent = false }: { silent?: boolean } = {}) => {
          if ((!silent || permittedStore.get()) && accounts.length === 0) change([account]);
          return Promise.resolve({ accounts });
        },
      },
      'standard:disconnect': {
        version: '1.0.0' as const,
        disconnect: () => Promise.resolve(change([])),
      },
      'standard:events': {
        version: '1.0.0' as const,
        on: (_event: 'change', listener: ChangeListener) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      },
      'solana:signMessage': {
        version: '1.0.0' as const,
        signMessage: async (...inputs: readonly { message: Uint8Array }[]) => {
          const outputs = [];
          for (const { message } of inputs) {
            const body = new TextDecoder().decode(message);
            await approve({ ...describeMessage(body, window.location.host, rails), body });
            outputs.push({ signedMessage: message, signature: ed25519.sign(message, seed) });
          }
          return outputs;
        },
      },
      'solana:signTransaction': {
        version: '1.0.0' as const,
        supportedTransactionVersions: ['legacy', 0] as const,
        signTransaction: async (...inputs: readonly { transaction: Uint8Array }[]) => {
          const outputs = [];
          for (const { transaction: bytes } of inputs) {
            const transaction = VersionedTransaction.deserialize(bytes);
            await approve(describeSolanaTransaction(bytes, address, rails));
            transaction.addSignature(new PublicKey(publicKey), ed25519.sign(transaction.message.serialize(), seed));
            outputs.push({ signedTransaction: transaction.serialize() });
          }
          return outputs;
        },
      },
    },
  };
}

/** Registers a wallet now and with apps that become ready later, as Wallet Standard requires. */
export function registerSolanaWallet(wallet: ReturnType<typeof demoSolanaWallet>): void {
  const register = (api: { register: (wallet: unknown) => unknown }) => api.register(wallet);
  window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }));
  window.addEventListener('wallet-standard:app-ready', (event) =>
    register((event as CustomEvent<{ register: (wallet: unknown) => unknown }>).detail),
  );
}
