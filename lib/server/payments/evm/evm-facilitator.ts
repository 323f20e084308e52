import { setTimeout as sleep } from 'node:timers/promises';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import type { FacilitatorEvmSigner } from '@x402/evm';
import type { PaymentPayload, SettleResponse, VerifyResponse } from '@x402/core/types';
import { type Abi, encodeFunctionData, type Hex, type Log, type PublicClient } from 'viem';
import type { PaymentRequirements } from '@/lib/protocol/x402/requirements';
import { ChainUnreachable } from '../rail';
import { type EvmSender, isRefusal } from './evm-sender';

const RECEIPT_WAIT_MS = 12_000;
const RECEIPT_POLL_MS = 100;

type OnTransaction = (hash: Hex) => Promise<void>;

/**
 * The official "exact" scheme over the gateway's own way to the chain: it verifies every payment, whoever settles it,
 * and settles with this process's key where there is one. A scheme object serves one payment, since it remembers what
 * it sent and would wait for that again instead of sending anew.
 */
export class EvmFacilitator {
  constructor(
    private readonly client: PublicClient,
    private readonly sender: EvmSender | null,
    private readonly walletFactories: readonly string[],
  ) {}

  /** @throws ChainUnreachable where the verdict would be a guess */
  async verify(payload: PaymentPayload, requirements: PaymentRequirements): Promise<VerifyResponse> {
    const trouble: { error?: unknown } = {};
    const verdict = await this.#scheme(trouble, null).verify(payload, requirements);
    if (!verdict.isValid && trouble.error !== undefined) throw new ChainUnreachable('The chain did not answer.', { cause: trouble.error });
    return verdict;
  }

  /** @param onTransaction is waited for before anything is sent */
  settle(payload: PaymentPayload, requirements: PaymentRequirements, onTransaction: OnTransaction): Promise<SettleResponse> {
    return this.#scheme({}, onTransaction).settle(payload, requirements);
  }

  #scheme(trouble: { error?: unknown }, onTransaction: OnTransaction | null): ExactEvmScheme {
    return new ExactEvmScheme(this.#signer(trouble, onTransaction), { eip6492AllowedFactories: [...this.walletFactories] });
  }

  /** The scheme takes a call that failed for a verdict on the payment: what was no answer of a node is noted. */
  #signer(trouble: { error?: unknown }, onTransaction: OnTransaction | null): FacilitatorEvmSigner {
    const { client, sender } = this;
    const noting = async <Result>(asked: Promise<Result>): Promise<Result> => {
      try {
        return await asked;
      } catch (error) {
        if (!isRefusal(error)) trouble.error = error;
        throw error;
      }
    };
    const send = (to: `0x${string}`, data: Hex): Promise<Hex> => {
      if (!sender || !onTransaction) throw new Error('This process does not settle on this chain.');
      return sender.send({ to, data }, onTransaction);
    };
    return {
      getAddresses: () => (sender ? [sender.address] : []),
      readContract: ({ abi, ...call }) => noting(client.readContract({ ...call, abi: abi as Abi, ...(sender ? { account: sender.address } : {}) })),
      verifyTypedData: () => Promise.reject(new Error('The scheme checks signatures itself.')),
      getCode: ({ address }) => noting(client.getCode({ address })),
      writeContract: ({ address, abi, functionName, args }) => send(address, encodeFunctionData({ abi: abi as Abi, functionName, args })),
      sendTransaction: ({ to, data }) => send(to, data),
      waitForTransactionReceipt: ({ hash }) => receiptOf(client, hash),
    };
  }
}

async function receiptOf(client: PublicClient, hash: Hex): Promise<{ status: string; logs: readonly Log[] }> {
  const deadline = performance.now() + RECEIPT_WAIT_MS;
  for (;;) {
    const receipt = await client.getTransactionReceipt({ hash }).catch(() => null);
    if (receipt) return receipt;
    if (performance.now() > deadline) throw new Error(`The transaction ${hash} is not in a block yet.`);
    await sleep(RECEIPT_POLL_MS);
  }
}
