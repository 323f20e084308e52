import {
  createPublicClient,
  createWalletClient,
  hexToString,
  http,
  isHex,
  numberToHex,
  type Address,
  type Chain,
  type Hex,
  type PrivateKeyAccount,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { formatEther } from 'viem/utils';
import { createStoredValue } from '@/lib/browser/storage/stored-value';
import {
  type ApprovalDetails,
  INVALID_PARAMS,
  ProviderError,
  UNAUTHORIZED,
  UNKNOWN_CHAIN,
  UNSUPPORTED_METHOD,
  userRejected,
} from './approval';
import { describeMessage, describeTypedData, type KnownRail } from './describe-signature';
import { describeCall, headlineOf, roundedUp } from './describe-transaction';
import { signingWords as words } from './demo-wallet-words';
import { newId } from '@/lib/browser/page/new-id';

export interface DemoEvmOptions {
  secret: Hex;
  chain: Chain;
  rpcUrl: string;
  rails: readonly KnownRail[];
  ask: (details: ApprovalDetails) => Promise<boolean>;
}

interface ProviderRequest {
  method: string;
  params?: unknown;
}

type Listener = (value: unknown) => void;

/** True if this page may see the demo wallet's address. Real wallets store this permission for each site. */
const permittedStore = createStoredValue<boolean>({
  key: 'turnpike.demo-evm-connected',
  initial: false,
  parse: (stored) => stored === true,
});

/**
 * EIP-1193 wallet whose private key is in this browser. Signs nothing without the user's consent. Forwards requests
 * for chain data to the chain.
 */
export class DemoEvmProvider {
  /** Some libraries check this field. */
  readonly isMetaMask = false;
  readonly #account: PrivateKeyAccount;
  readonly #listeners = new Map<string, Set<Listener>>();

  constructor(private readonly options: DemoEvmOptions) {
    this.#account = privateKeyToAccount(options.secret);
  }

  get address(): Address {
    return this.#account.address;
  }

  /** @throws ProviderError; an error from the chain keeps its code and message */
  async request({ method, params }: ProviderRequest): Promise<unknown> {
    const list: readonly unknown[] = Array.isArray(params) ? params : [];
    switch (method) {
      case 'eth_accounts':
        return permittedStore.get() ? [this.address] : [];
      case 'eth_requestAccounts':
        return this.#connect();
      case 'wallet_requestPermissions':
        this.#connect();
        return [
          { parentCapability: 'eth_accounts', caveats: [{ type: 'restrictReturnedAccounts', value: [this.address] }] },
        ];
      case 'wallet_getPermissions':
        return permittedStore.get() ? [{ parentCapability: 'eth_accounts', caveats: [] }] : [];
      case 'wallet_revokePermissions':
        permittedStore.set(false);
        this.#emit('accountsChanged', []);
        return null;
      case 'eth_chainId':
        return numberToHex(this.options.chain.id);
      case 'net_version':
        return String(this.options.chain.id);
      case 'wallet_switchEthereumChain':
      case 'wallet_addEthereumChain':
        return this.#requireOwnChain(list[0]);
      case 'personal_sign':
        return this.#signMessage(list[0], list[1]);
      case 'eth_signTypedData_v4':
        return this.#signTypedData(list[0], list[1]);
      case 'eth_sendTransaction':
        return this.#sendTransaction(list[0]);
      default:
        return this.#forward(method, list);
    }
  }

  on(event: string, listener: Listener): this {
    this.#listeners.set(event, (this.#listeners.get(event) ?? new Set()).add(listener));
    return this;
  }

  removeListener(event: string, listener: Listener): this {
    this.#listeners.get(event)?.delete(listener);
    return this;
  }

  #emit(event: string, value: unknown): void {
    this.#listeners.get(event)?.forEach((listener) => listener(value));
  }

  #connect(): readonly Address[] {
    if (!permittedStore.get()) {
      permittedStore.set(true);
      this.#emit('accountsChanged', [this.address]);
    }
    return [this.address];
  }

  #requireOwnChain(value: unknown): null {
    const chainId = Number((value as { chainId?: unknown } | undefined)?.chainId);
    if (chainId !== this.options.chain.id)
      throw new ProviderError(UNKNOWN_CHAIN, `The demo wallet supports only ${this.options.chain.name}.`);
    return null;
  }

  #requireOwnAddress(address: unknown): void {
    if (!permittedStore.get() || typeof address !== 'string' || address.toLowerCase() !== this.address.toLowerCase()) {
      throw new ProviderError(UNAUTHORIZED, 'The demo wallet is not connected with this address.');
    }
  }

  async #approve(details: Omit<ApprovalDetails, 'family' | 'address'>): Promise<void> {
    if (!(await this.options.ask({ family: 'evm', address: this.address, ...details }))) throw userRejected();
  }

  async #signMessage(message: unknown, address: unknown): Promise<Hex> {
    this.#requireOwnAddress(address);
    if (typeof message !== 'string') throw new ProviderError(INVALID_PARAMS, 'personal_sign requires a text.');
    const raw = isHex(message) ? { raw: message } : message;
    const body = isHex(message) ? hexToString(message) : message;
    await this.#approve({ ...describeMessage(body, window.location.host), body });
    return this.#account.signMessage({ message: raw });
  }

  async #signTypedData(address: unknown, data: unknown): Promise<Hex> {
    this.#requireOwnAddress(address);
    const typed = parseTypedData(data);
    await this.#approve({
      ...describeTypedData(typed, this.options.rails),
      body: JSON.stringify({ domain: typed.domain, message: typed.message }, null, 2),
    });
    return this.#account.signTypedData(typed);
  }

  async #sendTransaction(value: unknown): Promise<Hex> {
    const {
      from,
      to,
      value: amount,
      data,
    } = (value ?? {}) as { from?: unknown; to?: Address; value?: Hex; data?: Hex };
    this.#requireOwnAddress(from);
    const { chain, rpcUrl } = this.options;
    const client = createWalletClient({ account: this.#account, chain, transport: http(rpcUrl), ccipRead: false });
    const request = await client.prepareTransactionRequest({
      ...(to === undefined ? {} : { to }),
      ...(data === undefined ? {} : { data }),
      value: BigInt(amount ?? 0),
    });
    const feeWei = (request.gas ?? 0n) * (request.maxFeePerGas ?? request.gasPrice ?? 0n);
    const headline = BigInt(amount ?? 0) === 0n ? headlineOf(data, to) : null;
    await this.#approve({
      title: headline?.title ?? words.transaction.send,
      consequence: headline?.consequence ?? words.transaction.sendConsequence,
      isSent: true,
      isPlain: headline !== null,
      facts: [
        [words.facts.chain, chain.name],
        [words.facts.to, to ?? words.transaction.newContract],
        ...(BigInt(amount ?? 0) === 0n
          ? []
          : [[words.facts.value, `${formatEther(BigInt(amount ?? 0))} ${chain.nativeCurrency.symbol}`] as const]),
        [words.facts.feeAtMost, `${formatEther(roundedUp(feeWei))} ${chain.nativeCurrency.symbol}`],
      ],
      body: describeCall(data, to) ?? data ?? words.transaction.noData,
    });
    return client.sendRawTransaction({ serializedTransaction: await client.signTransaction(request) });
  }

  async #forward(method: string, params: readonly unknown[]): Promise<unknown> {
    if (method.startsWith('wallet_'))
      throw new ProviderError(UNSUPPORTED_METHOD, `The demo wallet does not support ${method}.`);
    const client = createPublicClient({
      chain: this.options.chain,
      transport: http(this.options.rpcUrl, { retryCount: 0 }),
      ccipRead: false,
    });
    const request = client.request as (request: ProviderRequest) => Promise<unknown>;
    return request({ method, params });
  }
}

type TypedData = Parameters<PrivateKeyAccount['signTypedData']>[0] & {
  primaryType: string;
  domain?: object;
  message: unknown;
};

function parseTypedData(data: unknown): TypedData {
  try {
    const parsed: unknown = typeof data === 'string' ? JSON.parse(data) : data;
    if (
      typeof parsed === 'object' &&
      parsed !== null &&
      'primaryType' in parsed &&
      'types' in parsed &&
      'message' in parsed
    )
      return parsed as TypedData;
  } catch {
    // The code below reports the failure.
  }
  throw new ProviderError(INVALID_PARAMS, 'eth_signTypedData_v4 requires an address and typed data in JSON.');
}

export const DEMO_WALLET_RDNS = 'dev.turnpike.demo';

/** Announces the provider now and at each request, as EIP-6963 requires. @returns function that stops announcing */
export function announceEvm(provider: DemoEvmProvider): () => void {
  const detail = Object.freeze({
    info: Object.freeze({ uuid: newId(), name: DEMO_WALLET_NAME, icon: demoIcon(), rdns: DEMO_WALLET_RDNS }),
    provider,
  });
  const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  window.addEventListener('eip6963:requestProvider', announce);
  announce();
  return () => window.removeEventListener('eip6963:requestProvider', announce);
}

/** Icon of both demo wallets, unlike any real wallet's icon. */
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#f2a31b"/><path d="M13 7h6M14.500 7v6.200l-5 8.600A2 2 0 0 0 11.200 25h9.600a2 2 0 0 0 1.700-3.200l-5-8.600V7M11.800 19h8.400" fill="none" stroke="#221500" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

export const DEMO_WALLET_NAME = 'Demo wallet';

/** Returns the icon as a data URL. Wallet Standard requires a data URL, and EIP-6963 accepts one. */
export function demoIcon(): `data:image/svg+xml;base64,${string}` {
  return `data:image/svg+xml;base64,${btoa(SVG)}`;
}
