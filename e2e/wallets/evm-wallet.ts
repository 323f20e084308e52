import type { Page } from '@playwright/test';
import { createWalletClient, type Hex, http, type PrivateKeyAccount } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

/** How a simulated wallet behaves. */
export interface WalletMood {
  /** Methods that it refuses with 4001. */
  refuses: Set<string>;
  /** Methods that it never answers, as if it was locked or its window was covered. */
  silent: Set<string>;
  /** It signs only after this, as if its user was away. */
  until: Promise<void> | null;
  /** Id of its current chain. */
  chainId: number;
  /** Ids of the chains that it knows. */
  knows: Set<number>;
  /** Calls that it got, in order. */
  asked: string[];
}

/** Extension wallet (EIP-6963) with real signatures. Key and RPC are outside of the page, as in a real extension. */
export class EvmWallet {
  readonly account: PrivateKeyAccount = privateKeyToAccount(generatePrivateKey());
  readonly mood: WalletMood = {
    refuses: new Set(),
    silent: new Set(),
    until: null,
    chainId: 31_337,
    knows: new Set([1, 31_337]),
    asked: [],
  };

  readonly #accounts: PrivateKeyAccount[] = [this.account];

  constructor(private readonly baseUrl: string) {}

  get address(): string {
    return this.account.address;
  }

  /** Adds the wallet to the page before the page's scripts run. */
  async announce(page: Page): Promise<void> {
    await page.exposeFunction('testWalletRequest', (method: string, params: unknown[]) => this.#answer(method, params));
    await page.addInitScript((address) => Object.assign(window, { testWalletAddress: address }), this.account.address);
    await page.addInitScript(INSTALL);
  }

  /** Switches to another account. The wallet can still sign for the previous account, as real extensions can. */
  async switchAccount(page: Page, other: EvmWallet): Promise<void> {
    this.#accounts.push(other.account);
    await page.evaluate(
      (address) => (window as unknown as { testWalletSwitch: (address: string) => void }).testWalletSwitch(address),
      other.address,
    );
  }

  /** Returns errors as values, because errors thrown in a page's function lose their code. */
  async #answer(
    method: string,
    params: unknown[],
  ): Promise<{ result?: unknown; error?: { code: number; message: string } }> {
    this.mood.asked.push(method);
    if (this.mood.silent.has(method)) return new Promise(() => undefined);
    if (/sign/i.test(method)) await this.mood.until;
    if (this.mood.refuses.has(method)) return { error: { code: 4001, message: 'User rejected the request.' } };
    try {
      return await this.#perform(method, params);
    } catch (error) {
      return { error: { code: -32_603, message: error instanceof Error ? error.message : String(error) } };
    }
  }

  #accountOf(address: unknown): PrivateKeyAccount {
    const account = this.#accounts.find((each) => each.address.toLowerCase() === String(address).toLowerCase());
    if (account === undefined) throw new Error('Unknown account.');
    return account;
  }

  async #perform(
    method: string,
    params: unknown[],
  ): Promise<{ result?: unknown; error?: { code: number; message: string } }> {
    const rpcUrl = `${this.baseUrl}/api/sandbox/rpc/sandbox-testnet`;
    switch (method) {
      case 'eth_chainId':
        return { result: `0x${this.mood.chainId.toString(16)}` };
      case 'wallet_addEthereumChain':
        this.mood.knows.add(Number((params[0] as { chainId: Hex }).chainId));
        return { result: null };
      case 'wallet_switchEthereumChain': {
        const chainId = Number((params[0] as { chainId: Hex }).chainId);
        if (!this.mood.knows.has(chainId)) return { error: { code: 4902, message: 'Unrecognized chain ID.' } };
        this.mood.chainId = chainId;
        return { result: null };
      }
      case 'personal_sign':
        return { result: await this.#accountOf(params[1]).signMessage({ message: { raw: params[0] as Hex } }) };
      case 'eth_signTypedData_v4':
        return {
          result: await this.#accountOf(params[0]).signTypedData(
            JSON.parse(params[1] as string) as Parameters<PrivateKeyAccount['signTypedData']>[0],
          ),
        };
      case 'eth_sendTransaction': {
        const { to, data, value } = params[0] as { to: Hex; data?: Hex; value?: Hex };
        const client = createWalletClient({ account: this.account, transport: http(rpcUrl) });
        return {
          result: await client.sendTransaction({
            chain: null,
            to,
            ...(data ? { data } : {}),
            value: BigInt(value ?? 0),
          }),
        };
      }
      default: {
        const response = await fetch(rpcUrl, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        });
        return (await response.json()) as { result?: unknown; error?: { code: number; message: string } };
      }
    }
  }
}

/** The part that runs in the page: permissions, events and announcement. */
const INSTALL = `(() => {
  const listeners = {};
  const emit = (event, value) => (listeners[event] ?? []).forEach((listener) => listener(value));
  const permitted = () => localStorage.getItem('test-wallet-permitted') === 'yes';
  const ask = async (method, params) => {
    const { result, error } = await window.testWalletRequest(method, params);
    if (error) throw Object.assign(new Error(error.message), { code: error.code });
    return result ?? null;
  };
  const provider = {
    on: (event, listener) => ((listeners[event] ??= []).push(listener), provider),
    removeListener: (event, listener) => ((listeners[event] = (listeners[event] ?? []).filter((each) => each !== listener)), provider),
    request: async ({ method, params = [] }) => {
      if (method === 'eth_accounts') return permitted() ? [window.testWalletAddress] : [];
      if (method === 'eth_requestAccounts' || method === 'wallet_requestPermissions') {
        await ask('eth_gasPrice', []);
        localStorage.setItem('test-wallet-permitted', 'yes');
        return method === 'eth_requestAccounts' ? [window.testWalletAddress] : [{ parentCapability: 'eth_accounts', caveats: [{ type: 'restrictReturnedAccounts', value: [window.testWalletAddress] }] }];
      }
      if (method === 'wallet_revokePermissions') return localStorage.removeItem('test-wallet-permitted'), null;
      const result = await ask(method, params);
      if (method === 'wallet_switchEthereumChain') emit('chainChanged', params[0].chainId);
      return result;
    },
  };
  window.testWalletSwitch = (address) => {
    window.testWalletAddress = address;
    emit('accountsChanged', [address]);
  };
  const icon = 'data:image/svg+xml;base64,' + btoa('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="#36c"/></svg>');
  const detail = Object.freeze({ info: Object.freeze({ uuid: crypto.randomUUID?.() ?? '350670db-19fa-4704-a166-e52e178b59d2', name: 'Test Wallet', icon, rdns: 'org.example.test' }), provider });
  const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  window.addEventListener('eip6963:requestProvider', announce);
  announce();
})();`;
