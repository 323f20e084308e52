import { BaseError, type Hex, keccak256, type LocalAccount, type PublicClient, RpcRequestError } from 'viem';
import type { SignerTurns } from '../signer-turns';

/** Age at which a transaction that is not mined counts as stuck. Its nonce is then used again. */
const STUCK_AFTER_MS = 60_000;
/** Fees of a replacement transaction, as a percentage of the current fees. Nodes accept only higher fees. */
const REPLACEMENT_PERCENT = 130n;
const GAS_MARGIN_PERCENT = 120n;

interface EvmCall {
  to: `0x${string}`;
  data: Hex;
}

/** Error for a call that was not sent, because it would need more gas than allowed. */
export class GasTooHigh extends Error {
  override readonly name = 'GasTooHigh';

  constructor(
    readonly gas: bigint,
    readonly gasMax: number,
  ) {
    super(`The call needs ${gas} gas, more than the maximum of ${gasMax}.`);
  }
}

/**
 * Sends transactions with this process's signing key, one at a time across all processes. Counts nonces itself, because
 * a node's count of pending transactions may lag.
 */
export class EvmSender {
  readonly address: `0x${string}`;
  /** Number of mined transactions while others wait, and since when. */
  #waiting: { mined: number; sinceMs: number } | null = null;

  constructor(
    private readonly account: LocalAccount,
    private readonly client: PublicClient,
    private readonly chainId: number,
    private readonly turns: SignerTurns,
  ) {
    this.address = account.address;
  }

  /** Estimates the gas of a call. @throws GasTooHigh, or the node's error if the call would revert */
  async estimate({ to, data }: EvmCall, gasMax: number): Promise<bigint> {
    const gas = await this.client.estimateGas({ account: this.address, to, data });
    if (gas > BigInt(gasMax)) throw new GasTooHigh(gas, gasMax);
    return gas;
  }

  /**
   * Signs and sends a call that may use at most `gasMax` gas.
   *
   * @param onTransaction called with the hash and awaited before the transaction is sent
   * @throws GasTooHigh, or the node's refusal
   * @returns hash, even if no node answered
   */
  async send(call: EvmCall, gasMax: number, onTransaction: (hash: Hex) => Promise<void>): Promise<Hex> {
    const sent = await this.turns.take(`eip155:${this.chainId}/${this.address.toLowerCase()}`, async (last) => {
      const { nonce, isReplacement } = await this.#nextNonce(last);
      const signed = await this.#sign(call, gasMax, nonce, isReplacement ? REPLACEMENT_PERCENT : 100n);
      const hash = keccak256(signed);
      await onTransaction(hash);
      const refusal = await this.#submit(signed);
      return {
        nextNonce: refusal === null ? await this.#after(nonce, isReplacement) : nonce,
        result: { hash, refusal },
      };
    });
    if (sent.refusal !== null) throw sent.refusal;
    return sent.hash;
  }

  async #sign({ to, data }: EvmCall, gasMax: number, nonce: number, feePercent: bigint): Promise<Hex> {
    const [estimated, fees] = await Promise.all([
      this.estimate({ to, data }, gasMax),
      this.client.estimateFeesPerGas(),
    ]);
    const gas = (estimated * GAS_MARGIN_PERCENT) / 100n;
    return this.account.signTransaction({
      type: 'eip1559',
      chainId: this.chainId,
      nonce,
      to,
      data,
      gas: gas < BigInt(gasMax) ? gas : BigInt(gasMax),
      maxFeePerGas: (fees.maxFeePerGas * feePercent) / 100n,
      maxPriorityFeePerGas: (fees.maxPriorityFeePerGas * feePercent) / 100n,
    });
  }

  async #submit(serializedTransaction: Hex): Promise<Error | null> {
    try {
      await this.client.sendRawTransaction({ serializedTransaction });
      return null;
    } catch (error) {
      return isRefusal(error) ? (error as Error) : null;
    }
  }

  async #nextNonce({
    nextNonce,
    usedAt,
  }: {
    nextNonce: number;
    usedAt: number;
  }): Promise<{ nonce: number; isReplacement: boolean }> {
    const mined = await this.client.getTransactionCount({ address: this.address, blockTag: 'latest' });
    if (mined >= nextNonce) {
      this.#waiting = null;
      return { nonce: Math.max(mined, await this.#pending()), isReplacement: false };
    }
    if (this.#waiting?.mined !== mined) this.#waiting = { mined, sinceMs: Date.now() };
    if (Date.now() - Math.min(usedAt, this.#waiting.sinceMs) <= STUCK_AFTER_MS)
      return { nonce: nextNonce, isReplacement: false };
    this.#waiting = null;
    return { nonce: mined, isReplacement: true };
  }

  /** Returns the next nonce. A replaced transaction may have others behind it. */
  async #after(nonce: number, isReplacement: boolean): Promise<number> {
    return isReplacement ? Math.max(nonce + 1, await this.#pending().catch(() => 0)) : nonce + 1;
  }

  #pending(): Promise<number> {
    return this.client.getTransactionCount({ address: this.address, blockTag: 'pending' });
  }
}

/** Returns whether a node answered with an error or with an invalid value. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  return (
    error.walk(
      (each) =>
        each instanceof RpcRequestError ||
        (each instanceof BaseError && /^(Abi|ContractFunctionZeroData|ContractFunctionReverted)/.test(each.name)),
    ) !== null
  );
}
