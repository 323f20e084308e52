import type { ChainRpc } from './chain-rpc';

/** Account that pays for all faucet transactions. Anvil impersonates it, because it has no private key. */
export const FAUCET_ADDRESS = '0xfa0ce7000000000000000000000000000000fa0c';

/** Balance in base units: more than the faucet ever pays out. */
const FILL = `0x${(10n ** 36n).toString(16)}`;

export class FaucetAccount {
  #last: Promise<unknown> = Promise.resolve();

  private constructor(private readonly rpc: ChainRpc) {}

  /** Funds the faucet account on a chain that has just started. */
  static async open(rpc: ChainRpc): Promise<FaucetAccount> {
    await rpc('anvil_setBalance', [FAUCET_ADDRESS, FILL]);
    return new FaucetAccount(rpc);
  }

  /**
   * Sends a transaction and resolves to its hash. Concurrent calls run one after another, because anvil would give two
   * transactions the same nonce.
   */
  send(transaction: Readonly<Record<string, string>>): Promise<string> {
    const sent = this.#last.then(() => this.#send(transaction));
    this.#last = sent.catch(() => undefined);
    return sent;
  }

  /** Impersonates the account only while sending, because `eth_accounts` lists impersonated accounts. */
  async #send(transaction: Readonly<Record<string, string>>): Promise<string> {
    await this.rpc('anvil_impersonateAccount', [FAUCET_ADDRESS]);
    try {
      return (await this.rpc('eth_sendTransaction', [{ ...transaction, from: FAUCET_ADDRESS }])) as string;
    } finally {
      await this.rpc('anvil_stopImpersonatingAccount', [FAUCET_ADDRESS]);
    }
  }
}
