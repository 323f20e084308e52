import { generateKeyPairSync, sign } from 'node:crypto';
import type { Page } from '@playwright/test';
import { base58 } from '@scure/base';

/** An extension wallet (Wallet Standard) that signs messages for real, with a key outside of the page. */
export class SolanaWallet {
  readonly #keys = generateKeyPairSync('ed25519');
  readonly publicKey = this.#keys.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  readonly address = base58.encode(this.publicKey);
  refuses = false;

  async announce(page: Page): Promise<void> {
    await page.exposeFunction('testSolanaSign', (message: number[]) => (this.refuses ? null : [...sign(null, Buffer.from(message), this.#keys.privateKey)]));
    await page.addInitScript(INSTALL, { address: this.address, publicKey: [...this.publicKey] });
  }
}

const INSTALL = ({ address, publicKey }: { address: string; publicKey: number[] }) => {
  const account = { address, publicKey: new Uint8Array(publicKey), chains: ['solana:mainnet', 'solana:devnet'], features: ['solana:signMessage', 'solana:signTransaction'] };
  let accounts: unknown[] = [];
  const listeners = new Set<(change: unknown) => void>();
  const change = (next: unknown[]) => {
    accounts = next;
    listeners.forEach((listener) => listener({ accounts }));
  };
  const testSolanaSign = (window as unknown as { testSolanaSign: (message: number[]) => Promise<number[] | null> }).testSolanaSign;
  const wallet = {
    version: '1.0.0',
    name: 'Test Solana Wallet',
    icon: `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="#93c"/></svg>')}`,
    chains: account.chains,
    get accounts() {
      return accounts;
    },
    features: {
      'standard:connect': { version: '1.0.0', connect: ({ silent = false } = {}) => (silent ? undefined : change([account]), Promise.resolve({ accounts })) },
      'standard:disconnect': { version: '1.0.0', disconnect: () => Promise.resolve(change([])) },
      'standard:events': { version: '1.0.0', on: (_event: string, listener: (change: unknown) => void) => (listeners.add(listener), () => listeners.delete(listener)) },
      'solana:signMessage': {
        version: '1.0.0',
        signMessage: async ({ message }: { message: Uint8Array }) => {
          const signature = await testSolanaSign([...message]);
          if (signature === null) throw Object.assign(new Error('User rejected the request.'), { code: 4001 });
          return [{ signedMessage: message, signature: new Uint8Array(signature) }];
        },
      },
      'solana:signTransaction': { version: '1.0.0', supportedTransactionVersions: ['legacy', 0], signTransaction: () => Promise.reject(new Error('Not in these tests.')) },
    },
  };
  const register = (api: { register: (wallet: unknown) => unknown }) => api.register(wallet);
  window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }));
  window.addEventListener('wallet-standard:app-ready', (event) => register((event as CustomEvent<{ register: (wallet: unknown) => unknown }>).detail));
};
