import { encodeFunctionData, type PrivateKeyAccount } from 'viem';
import { evmSignIn, fundedEvmAccount, sendEvm } from '@/attack/chains/evm-account';
import { BASE, type Chains } from '@/attack/chains/chains';
import { draftEvmPayment, followPayment, readPaymentOptions, signedEvmPayment } from '@/lib/client';
import { mintByWallet } from '@/lib/client/mint-by-wallet';
import { MINTABLE_TOKEN_ABI, STAKING_ABI } from '@/lib/protocol/contract-abis';
import { SANDBOX_CONTRACTS } from '@/lib/protocol/sandbox-contracts';

/** Number of top-ups of one wallet. The faucet gives 100 USDC, and the minimum top-up is 5 USD. */
const TOP_UPS_OF_WALLET = 15;
const MINTS_OF_WALLET = 20;
const STAKE = 10n ** 18n;

/** Wallets on the simulated chains. Each tops up and mints keys a few times before a new wallet replaces it. */
export class SoakWallets {
  #payer: { account: PrivateKeyAccount; left: number } | null = null;
  /** Wallet that has topped up, so it can pay for its calls. */
  #paid: PrivateKeyAccount | null = null;
  #minter: { account: PrivateKeyAccount; left: number } | null = null;

  constructor(
    private readonly gatewayUrl: string,
    private readonly chains: Chains,
  ) {}

  /**
   * Returns a new sign-in of a wallet that has topped up, and its address in the form used in paths.
   *
   * @returns null if no wallet has topped up
   */
  async signIn(): Promise<{ headers: Record<string, string>; address: string } | null> {
    const account = this.#paid;
    return account === null
      ? null
      : { headers: await evmSignIn({ url: this.gatewayUrl }, account), address: account.address.toLowerCase() };
  }

  /** Tops up 5 USD on the simulated Base and waits for the end. @returns the payment's final state */
  async topUp(): Promise<string> {
    const payer = (this.#payer =
      this.#payer !== null && this.#payer.left > 0
        ? this.#payer
        : { account: await fundedEvmAccount(this.chains), left: TOP_UPS_OF_WALLET });
    payer.left -= 1;
    const connection = { baseUrl: this.gatewayUrl };
    const accepted = (await readPaymentOptions(connection)).find(({ network }) => network === BASE.caip2);
    if (!accepted) throw new Error('The gateway accepts nothing on Base.');
    const draft = draftEvmPayment(accepted, payer.account.address);
    const payment = signedEvmPayment(draft, await payer.account.signTypedData(draft.typedData));
    const { state } = await followPayment(connection, payment);
    if (state === 'credited') this.#paid = payer.account;
    return state;
  }

  /** Mints a key for a staking wallet and revokes the key. */
  async mint(): Promise<void> {
    const minter = (this.#minter =
      this.#minter !== null && this.#minter.left > 0
        ? this.#minter
        : { account: await this.#staker(), left: MINTS_OF_WALLET });
    minter.left -= 1;
    const wallet = {
      address: () => Promise.resolve(minter.account.address),
      signText: (message: string) => minter.account.signMessage({ message }),
    };
    const { id } = await mintByWallet({ baseUrl: this.gatewayUrl }, wallet, { apiKeyType: 'INFERENCE' });
    const revoked = await fetch(`${this.gatewayUrl}/api/v1/api_keys?id=${id}`, {
      method: 'DELETE',
      headers: await evmSignIn({ url: this.gatewayUrl }, minter.account),
    });
    if (!revoked.ok) throw new Error(`Revoking was answered with ${revoked.status}: ${await revoked.text()}`);
    await revoked.arrayBuffer();
  }

  async #staker(): Promise<PrivateKeyAccount> {
    const account = await fundedEvmAccount(this.chains);
    const { stakeToken, staking } = SANDBOX_CONTRACTS;
    await sendEvm(this.chains, account, {
      to: stakeToken,
      data: encodeFunctionData({ abi: MINTABLE_TOKEN_ABI, functionName: 'approve', args: [staking, STAKE] }),
    });
    await sendEvm(this.chains, account, {
      to: staking,
      data: encodeFunctionData({ abi: STAKING_ABI, functionName: 'stake', args: [STAKE] }),
    });
    return account;
  }
}
