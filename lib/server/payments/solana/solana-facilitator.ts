import { setTimeout as sleep } from 'node:timers/promises';
import { address } from '@solana/kit';
import type { PaymentPayload, SettleResponse, VerifyResponse } from '@x402/core/types';
import { type FacilitatorSvmSigner, TransactionOnchainFailureError } from '@x402/svm';
import { ExactSvmScheme } from '@x402/svm/exact/facilitator';
import type { PaymentRequirements } from '@/lib/protocol/x402/requirements';
import type { NetworkRequest } from '../../chain/network-client';
import { isRefusal } from '../evm/evm-sender';
import { ChainUnreachable } from '../rail';
import type { SolanaKey } from './solana-key';

const CONFIRM_WAIT_MS = 15_000;
const CONFIRM_POLL_MS = 150;

type OnTransaction = (signature: string) => Promise<void>;

interface SignatureStatus {
  err: unknown;
  confirmationStatus: string | null;
}

/**
 * The official "exact" scheme over the gateway's own way to Solana: it verifies every payment, whoever settles it, and
 * settles with this process's key where there is one. A scheme object serves one payment, since it would take a
 * second attempt for a duplicate.
 */
export class SolanaFacilitator {
  constructor(
    private readonly rpc: NetworkRequest,
    private readonly key: SolanaKey | null,
  ) {}

  /** @throws ChainUnreachable where the verdict would be a guess */
  async verify(payload: PaymentPayload, requirements: PaymentRequirements): Promise<VerifyResponse> {
    const trouble: { error?: unknown } = {};
    const verdict = await new ExactSvmScheme(this.#signer(requirements, trouble, null)).verify(payload, requirements);
    if (!verdict.isValid && trouble.error !== undefined) throw new ChainUnreachable('Solana did not answer.', { cause: trouble.error });
    return verdict;
  }

  /** @param onTransaction is waited for before anything is sent */
  settle(payload: PaymentPayload, requirements: PaymentRequirements, onTransaction: OnTransaction): Promise<SettleResponse> {
    return new ExactSvmScheme(this.#signer(requirements, {}, onTransaction)).settle(payload, requirements);
  }

  #signer({ extra }: PaymentRequirements, trouble: { error?: unknown }, onTransaction: OnTransaction | null): FacilitatorSvmSigner {
    const { key, rpc } = this;
    let signature = '';
    return {
      getAddresses: () => [key?.address ?? address(String(extra.feePayer))],
      signTransaction: (wire) => {
        if (!key) return Promise.reject(new Error('This process does not settle on Solana.'));
        const signed = key.sign(wire);
        signature = signed.signature;
        return Promise.resolve(signed.wire);
      },
      simulateTransaction: async (wire) => {
        const simulated = await rpc('simulateTransaction', [wire, { sigVerify: false, replaceRecentBlockhash: false, commitment: 'confirmed', encoding: 'base64' }]).catch((error: unknown) => {
          if (!isRefusal(error)) trouble.error = error;
          throw error;
        });
        const { err } = (simulated as { value: { err: unknown } }).value;
        if (err !== null) throw new Error(`The transaction would fail: ${JSON.stringify(err)}`);
      },
      sendTransaction: async (wire) => {
        if (!onTransaction) throw new Error('Nothing is sent while verifying.');
        await onTransaction(signature);
        // It may have arrived where no node answered: its status will tell.
        await rpc('sendTransaction', [wire, { encoding: 'base64', skipPreflight: true, preflightCommitment: 'confirmed' }]).catch((error: unknown) => {
          if (isRefusal(error)) throw error;
        });
        return signature;
      },
      confirmTransaction: (name) => confirmed(rpc, name),
    };
  }
}

async function confirmed(rpc: NetworkRequest, signature: string): Promise<void> {
  const deadline = performance.now() + CONFIRM_WAIT_MS;
  while (performance.now() < deadline) {
    const status = await signatureStatus(rpc, signature).catch(() => null);
    if (status && isConfirmed(status)) {
      if (status.err !== null) throw new TransactionOnchainFailureError(`The transaction failed: ${JSON.stringify(status.err)}`);
      return;
    }
    await sleep(CONFIRM_POLL_MS);
  }
  throw new Error('The transaction is not confirmed yet.');
}

/** How far a transaction is, by its first signature; null where no node knows of it. */
export async function signatureStatus(rpc: NetworkRequest, signature: string): Promise<SignatureStatus | null> {
  const { value } = (await rpc('getSignatureStatuses', [[signature], { searchTransactionHistory: true }])) as { value: (SignatureStatus | null)[] };
  return value[0] ?? null;
}

/** Whether a supermajority has voted on it. */
export function isConfirmed({ confirmationStatus }: SignatureStatus): boolean {
  return confirmationStatus === 'confirmed' || confirmationStatus === 'finalized';
}
