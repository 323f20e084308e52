import { address } from '@solana/kit';
import type { PaymentPayload, VerifyResponse } from '@x402/core/types';
import { ExactSvmScheme } from '@x402/svm/exact/facilitator';
import { RpcRequestError } from 'viem';
import type { PaymentRequirements } from '@/lib/protocol/x402/payment-required';
import { unreachable } from '../rail';
import type { SolanaNode } from './solana-node';
import type { VerifiedTransfer } from './verified-transfer';

const INVALID_PARAMS = -32_602;

export interface Simulated {
  verdict: VerifyResponse;
  slot: number;
  /** Error of the simulated transaction; null if the transaction would succeed. */
  error: unknown;
}

/**
 * Verifies a payment with the official "exact" scheme, and simulates it over the gateway's own upstreams. The scheme
 * gets no key, so it cannot send the payment.
 *
 * @throws ChainUnreachable if the simulation gave no result
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
  if (trouble !== null) throw unreachable('Solana', trouble);
  return { verdict, ...simulated };
}
