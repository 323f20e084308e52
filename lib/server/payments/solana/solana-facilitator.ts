import { address } from '@solana/kit';
import type { PaymentPayload, VerifyResponse } from '@x402/core/types';
import { ExactSvmScheme } from '@x402/svm/exact/facilitator';
import { RpcRequestError } from 'viem';
import type { PaymentRequirements } from '@/lib/protocol/x402/requirements';
import { ChainUnreachable } from '../rail';
import type { SolanaNode } from './solana-node';
import type { VerifiedTransfer } from './verified-transfer';

/** JSON-RPC: the node cannot read the transaction. */
const INVALID_PARAMS = -32_602;

/** What the chain says of a payment that has not been executed, as far as it knows. */
export interface Simulated {
  verdict: VerifyResponse;
  /** The slot for which it holds. */
  slot: number;
  /** As the node names it; null where it would be executed. */
  error: unknown;
}

/**
 * Has a payment judged by the official "exact" scheme, for which the gateway's own way to Solana simulates it: a second
 * opinion on the instructions, and the chain's on whether they would succeed now. The scheme gets no key and nothing
 * to send with.
 * @throws ChainUnreachable where the verdict would be a guess
 */
export async function simulatePayment(
  node: SolanaNode,
  { transfer }: VerifiedTransfer,
  accepted: PaymentRequirements,
): Promise<Simulated> {
  const refuse = (): Promise<never> => Promise.reject(new Error('The scheme verifies here and does not settle.'));
  let simulated: { slot: number; error: unknown } = { slot: 0, error: null };
  let trouble: unknown = null;
  const scheme = new ExactSvmScheme({
    getAddresses: () => [address(transfer.feePayer)],
    signTransaction: refuse,
    sendTransaction: refuse,
    confirmTransaction: refuse,
    simulateTransaction: async (wire) => {
      simulated = await node.simulate(wire).catch((error: unknown) => {
        if (!(error instanceof RpcRequestError && error.code === INVALID_PARAMS)) trouble = error;
        throw error;
      });
      if (simulated.error !== null) throw new Error('The transaction would fail.');
    },
  });
  const payload: PaymentPayload = { x402Version: 2, accepted, payload: { transaction: transfer.wire } };
  const verdict = await scheme.verify(payload, accepted);
  if (trouble !== null) throw new ChainUnreachable('Solana did not answer.', { cause: trouble });
  return { verdict, ...simulated };
}
