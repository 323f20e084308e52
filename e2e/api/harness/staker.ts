import {
  createPublicClient,
  createWalletClient,
  defineChain,
  encodeFunctionData,
  type Hex,
  http,
  type PrivateKeyAccount,
  type PublicClient,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import {
  MINTABLE_TOKEN_ABI,
  SMART_WALLET_ABI,
  SMART_WALLET_FACTORY_ABI,
  STAKING_ABI,
} from '@/lib/protocol/contract-abis';
import type { GatewayUnderTest } from './gateway-under-test';
import type { SandboxDescription } from './sandbox-gateway';

type Address = `0x${string}`;

/** A token that can be staked. */
export type Stakeable = 'stake' | 'dailyCredit';

/** Wallet with its own key on the sandbox's chain, funded by the faucet. Uses no browser. */
export class Staker {
  readonly privateKey: Hex = generatePrivateKey();
  readonly account: PrivateKeyAccount = privateKeyToAccount(this.privateKey);
  readonly chain: PublicClient;
  readonly #contracts: Readonly<Record<string, Address>>;
  readonly #rpcUrl: string;
  readonly #chainId: number;

  private constructor(
    private readonly gateway: GatewayUnderTest,
    { evm }: SandboxDescription,
  ) {
    const own = evm.find(({ network }) => network === 'sandbox-testnet');
    if (!own) throw new Error('The sandbox tells of no chain of its own.');
    this.#contracts = own.contracts as Record<string, Address>;
    this.#rpcUrl = own.rpcUrl;
    this.#chainId = own.chainId;
    this.chain = createPublicClient({ transport: http(own.rpcUrl) });
  }

  /** Creates a wallet with a new key and funds it. */
  static async funded(gateway: GatewayUnderTest, sandbox: SandboxDescription): Promise<Staker> {
    const staker = new Staker(gateway, sandbox);
    await staker.fund(staker.account.address);
    return staker;
  }

  /** Funds an address from the faucet with money and tokens. */
  async fund(address: Address): Promise<void> {
    const { status, text } = await this.gateway.ask({
      method: 'POST',
      path: '/api/sandbox/faucet',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ address }),
    });
    if (status !== 200) throw new Error(`The faucet answered ${status}: ${text}`);
  }

  /** Approves and stakes. @param amount base units of a token with 18 decimals */
  async stake(what: Stakeable, amount: bigint): Promise<void> {
    for (const { to, data } of this.#stakeCalls(what, amount)) await this.#send(to, data);
  }

  /** Starts unstaking. From then on, the amount does not count as stake. */
  async unstake(what: Stakeable, amount: bigint): Promise<void> {
    await this.#send(
      this.#placesOf(what).staking,
      encodeFunctionData({ abi: STAKING_ABI, functionName: 'initiateUnstake', args: [amount] }),
    );
  }

  /** Deploys a smart-contract wallet with this key, funds it and stakes from it. */
  async stakingContract(
    what: Stakeable,
    amount: bigint,
  ): Promise<{ address: Address; factory: Address; factoryData: Hex }> {
    const factory = this.#contracts.smartWalletFactory as Address;
    const args = [this.account.address, `0x${'5a'.repeat(32)}`] as const;
    const address = await this.chain.readContract({
      address: factory,
      abi: SMART_WALLET_FACTORY_ABI,
      functionName: 'addressOf',
      args,
    });
    const factoryData = encodeFunctionData({ abi: SMART_WALLET_FACTORY_ABI, functionName: 'createWallet', args });
    await this.#send(factory, factoryData);
    await this.fund(address);
    for (const { to, data } of this.#stakeCalls(what, amount)) {
      await this.#send(
        address,
        encodeFunctionData({ abi: SMART_WALLET_ABI, functionName: 'execute', args: [to, 0n, data] }),
      );
    }
    return { address, factory, factoryData };
  }

  #stakeCalls(what: Stakeable, amount: bigint): { to: Address; data: Hex }[] {
    const { token, staking } = this.#placesOf(what);
    return [
      {
        to: token,
        data: encodeFunctionData({ abi: MINTABLE_TOKEN_ABI, functionName: 'approve', args: [staking, amount] }),
      },
      { to: staking, data: encodeFunctionData({ abi: STAKING_ABI, functionName: 'stake', args: [amount] }) },
    ];
  }

  #placesOf(what: Stakeable): { token: Address; staking: Address } {
    const { stakeToken, staking, dailyCreditToken, dailyCreditPool } = this.#contracts as Record<string, Address>;
    return what === 'stake'
      ? { token: stakeToken as Address, staking: staking as Address }
      : { token: dailyCreditToken as Address, staking: dailyCreditPool as Address };
  }

  async #send(to: Address, data: Hex): Promise<void> {
    const chain = defineChain({
      id: this.#chainId,
      name: 'sandbox',
      nativeCurrency: { name: 'ETH', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [this.#rpcUrl] } },
    });
    const wallet = createWalletClient({ account: this.account, chain, transport: http(this.#rpcUrl) });
    const { status } = await this.chain.waitForTransactionReceipt({
      hash: await wallet.sendTransaction({ to, data }),
      pollingInterval: 100,
    });
    if (status !== 'success') throw new Error(`The transaction to ${to} failed.`);
  }
}
