import { generateKeyPairSync, sign } from 'node:crypto';
import type { Page } from '@playwright/test';
import { base58 } from '@scure/base';
import { PublicKey, VersionedTransaction } from '@solana/web3.js';

/** Extension wallet (Wallet Standard) with real signatures. Its key is outside of the page. */
export class SolanaWallet {
  readonly #keys = generateKeyPairSync('ed25519');
  readonly publicKey = this.#keys.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  readonly address = base58.encode(this.publicKey);
  refuses = false;

  async announce(page: Page): Promise<void> {
    await page.exposeFunction('testSolanaSign', (message: number[]) =>
      this.refuses ? null : [...sign(null, Buffer.from(message), this.#keys.privateKey)],
    );
    await page.exposeFunction('testSolanaSignTransaction', (wire: number[]) =>
      this.refuses ? null : this.#signTransaction(Uint8Array.from(wire)),
    );
    await page.addInitScript(INSTALL, { address: this.address, publicKey: [...this.publicKey] });
  }

  /** Sets its own signature in the transaction, and leaves all others unchanged. */
  #signTransaction(wire: Uint8Array): number[] {
    const transaction = VersionedTransaction.deserialize(wire);
    transaction.addSignature(
      new PublicKey(this.publicKey),
      sign(null, transaction.message.serialize(), this.#keys.privateKey),
    );
    return [...transaction.serialize()];
  }
}

const INSTALL = ({ address, publicKey }: { address: string; publicKey: number[] }) => {
  const account = {
    address,
    publicKey: new Uint8Array(publicKey),
    chains: ['solana:mainnet', 'solana:devnet'],
    features: ['solana:signMessage', 'solana:signTransaction'],
  };
  let accounts: unknown[] = [];
  const listeners = new Set<(change: unknown) => void>();
  const change = (next: unknown[]) => {
    accounts = next;
    listeners.forEach((listener) => listener({ accounts }));
  };
  type Sign = (bytes: number[]) => Promise<number[] | null>;
  const { testSolanaSign, testSolanaSignTransaction } = window as unknown as {
    testSolanaSign: Sign;
    testSolanaSignTransaction: Sign;
  };
  const signed = async (ask: Sign, bytes: Uint8Array) => {
    const answer = await ask([...bytes]);
    if (answer === null) throw Object.assign(new Error('User rejected the request.'), { code: 4001 });
    return new Uint8Array(answer);
  };
  const wallet = {
    version: '1.0.0',
    name: 'Test Solana Wallet',
    icon: `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="#93c"/></svg>')}`,
    chains: account.chains,
    get accounts() {
      return accounts;
    },
    features: {
      'standard:connect': {
        version: '1.0.0',
        connect: ({ silent = false } = {}) => (silent ? undefined : change([account]), Promise.resolve({ accounts })),
      },
      'standard:disconnect': { version: '1.0.0', disconnect: () => Promise.resolve(change([])) },
      'standard:events': {
        version: '1.0.0',
        on: (_event: string, listener: (change: unknown) => void) => (
          listeners.add(listener),
          () => listeners.delete(listener)
        ),
      },
      'solana:signMessage': {
        version: '1.0.0',
        signMessage: async ({ message }: { message: Uint8Array }) => [
          { signedMessage: message, signature: await signed(testSolanaSign, message) },
        ],
      },
      'solana:signTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        signTransaction: async ({ transaction }: { transaction: Uint8Array }) => [
          { signedTransaction: await signed(testSolanaSignTransaction, transaction) },
        ],
      },
    },
  };
  const register = (api: { register: (wallet: unknown) => unknown }) => api.register(wallet);
  window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }));
  window.addEventListener('wallet-standard:app-ready', (event) =>
    register((event as CustomEvent<{ register: (wallet: unknown) => unknown }>).detail),
  );
};
