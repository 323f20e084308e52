import type { ChainRpc } from './chain-rpc';

/** Pays for everything the faucet gives. Nobody has its key. */
export const FAUCET_ADDRESS = '0xfa0ce7000000000000000000000000000000fa0c';

/** In base units; more than is ever given, and far from overflowing a balance of 256 bits. */
const FILL = `0x${(10n ** 36n).toString(16)}`;

/** The faucet's account on one running chain. */
export class FaucetAccount {
  #last: Promise<unknown> = Promise.resolve();

  private constructor(private readonly rpc: ChainRpc) {}

  /** Fills the account of a chain that has just started. */
  static async open(rpc: ChainRpc): Promise<FaucetAccount> {
    await rpc('anvil_setBalance', [FAUCET_ADDRESS, FILL]);
    return new FaucetAccount(rpc);
  }

  /**
   * Sends a transaction and resolves to its hash. Callers at one time are served one after the other:
   * anvil would give two transactions one nonce, and refuse the second.
   */
  send(transaction: Readonly<Record<string, string>>): Promise<string> {
    const sent = this.#last.then(() => this.#send(transaction));
    this.#last = sent.catch(() => undefined);
    return sent;
  }

  /** The chain lets the account send without a key only meanwhile, since such accounts appear in `eth_accounts`. */
  async #send(transaction: Readonly<Record<string, string>>): Promise<string> {
    await this.rpc('anvil_impersonateAccount', [FAUCET_ADDRESS]);
    try {
      return (await this.rpc('eth_sendTransaction', [{ ...transaction, from: FAUCET_ADDRESS }])) as string;
    } finally {
      await this.rpc('anvil_stopImpersonatingAccount', [FAUCET_ADDRESS]);
    }
  }
}
