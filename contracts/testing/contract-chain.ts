import {
  type Abi,
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  createWalletClient,
  http,
  publicActions,
} from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { MINTABLE_TOKEN_ABI } from '@/lib/protocol/contract-abis';
import { type SandboxProcess, startSandboxProcess } from '@/test/sandbox-process';

/** Test chain of the contracts: the sandbox's own, with the contracts deployed as in every installation. */

const FAUCET = '0xfa0ce7000000000000000000000000000000fa0c';
const NETWORK = 'sandbox-testnet';

export const newAccount = (): PrivateKeyAccount => privateKeyToAccount(generatePrivateKey());

export interface ContractCall {
  address: Address;
  abi: Abi;
  functionName: string;
  args: readonly unknown[];
}

export class ContractChain {
  private constructor(private readonly sandbox: SandboxProcess) {}

  static async start(): Promise<ContractChain> {
    return new ContractChain(await startSandboxProcess());
  }

  stop(): Promise<void> {
    return this.sandbox.stop();
  }

  /** An account with coins, and 1,000 TPK, 100 TOLL and 100 USDC. */
  async richAccount(): Promise<PrivateKeyAccount> {
    const account = newAccount();
    await this.sandbox.fund(account.address);
    return account;
  }

  client(account: PrivateKeyAccount) {
    return createWalletClient({
      account,
      chain: foundry,
      transport: http(this.sandbox.evmUrl(NETWORK)),
      pollingInterval: 10,
    }).extend(publicActions);
  }

  /** Sends a call as an account, and resolves with the receipt of its success. @throws what it reverts with, before it is sent */
  async send(account: PrivateKeyAccount, call: ContractCall) {
    const client = this.client(account);
    const { request } = await client.simulateContract(call);
    const receipt = await client.waitForTransactionReceipt({ hash: await client.writeContract(request) });
    if (receipt.status !== 'success')
      throw new Error(`${call.functionName} failed in a block though it had not when tried.`);
    return receipt;
  }

  read(call: ContractCall): Promise<unknown> {
    return this.client(newAccount()).readContract(call);
  }

  /** The name of the error that a call reverts with. */
  async revertOf(account: PrivateKeyAccount, call: ContractCall): Promise<string> {
    try {
      await this.client(account).simulateContract(call);
    } catch (error) {
      const cause =
        error instanceof BaseError ? error.walk((inner) => inner instanceof ContractFunctionRevertedError) : null;
      if (cause instanceof ContractFunctionRevertedError)
        return cause.data?.errorName ?? cause.reason ?? cause.signature ?? 'no reason';
      throw error;
    }
    return 'no revert';
  }

  async mint(token: Address, to: Address, amount: bigint): Promise<void> {
    await this.sandbox.rpc(NETWORK, 'anvil_impersonateAccount', [FAUCET]);
    const client = createWalletClient({
      account: FAUCET,
      chain: foundry,
      transport: http(this.sandbox.evmUrl(NETWORK)),
    });
    await client.writeContract({ address: token, abi: MINTABLE_TOKEN_ABI, functionName: 'mint', args: [to, amount] });
    await this.sandbox.rpc(NETWORK, 'anvil_stopImpersonatingAccount', [FAUCET]);
  }

  /** Unix seconds of the newest block. */
  async now(): Promise<bigint> {
    return (await this.client(newAccount()).getBlock()).timestamp;
  }

  async passTime(seconds: bigint): Promise<void> {
    await this.sandbox.rpc(NETWORK, 'evm_increaseTime', [Number(seconds)]);
    await this.sandbox.rpc(NETWORK, 'evm_mine', []);
  }

  rpc(method: string, params: readonly unknown[] = []): Promise<unknown> {
    return this.sandbox.rpc(NETWORK, method, params);
  }
}
