import { isEvmAddress } from '@/lib/protocol/wallet-address';
import type { PaymentRequirements } from '@/lib/protocol/x402/payment-required';
import { TRANSFER_AUTHORIZATION_TYPES } from '@/lib/protocol/x402/transfer-authorization';
import { signedPayment, type SignedPayment } from './top-up';

/**
 * A payment is valid from this many seconds before its creation, in case the client's clock is ahead of the chain's.
 */
const VALID_SINCE_SECONDS = 600;

type Hex = `0x${string}`;

/** Unsigned payment, with the data to sign and the accepted terms. */
export interface EvmPaymentDraft {
  accepted: PaymentRequirements;
  /** Argument for `signTypedData` of viem and wagmi. */
  typedData: {
    domain: { name: string; version: string; chainId: number; verifyingContract: Hex };
    types: typeof TRANSFER_AUTHORIZATION_TYPES;
    primaryType: 'TransferWithAuthorization';
    message: { from: Hex; to: Hex; value: bigint; validAfter: bigint; validBefore: bigint; nonce: Hex };
  };
}

/**
 * Drafts a payment of exactly the accepted amount, with a random nonce.
 *
 * @param validSeconds how long the payment is valid. Default: the time in the terms
 * @throws {TypeError} if the terms are not for an EVM chain
 */
export function draftEvmPayment(
  accepted: PaymentRequirements,
  from: Hex,
  nowMs: number = Date.now(),
  validSeconds: number = accepted.maxTimeoutSeconds,
): EvmPaymentDraft {
  const { asset, payTo } = accepted;
  const [namespace, chainId] = accepted.network.split(':');
  const { name, version } = accepted.extra;
  if (
    namespace !== 'eip155' ||
    typeof name !== 'string' ||
    typeof version !== 'string' ||
    !isEvmAddress(asset) ||
    !isEvmAddress(payTo)
  )
    throw new TypeError('An EVM wallet cannot pay these terms.');
  const now = Math.floor(nowMs / 1_000);
  return {
    accepted,
    typedData: {
      domain: { name, version, chainId: Number(chainId), verifyingContract: asset },
      types: TRANSFER_AUTHORIZATION_TYPES,
      primaryType: 'TransferWithAuthorization',
      message: {
        from,
        to: payTo,
        value: BigInt(accepted.amount),
        validAfter: BigInt(now - VALID_SINCE_SECONDS),
        validBefore: BigInt(now + validSeconds),
        nonce: randomNonce(),
      },
    },
  };
}

export function signedEvmPayment({ accepted, typedData }: EvmPaymentDraft, signature: Hex): SignedPayment {
  const { from, to, value, validAfter, validBefore, nonce } = typedData.message;
  const authorization = {
    from,
    to,
    value: value.toString(),
    validAfter: validAfter.toString(),
    validBefore: validBefore.toString(),
    nonce,
  };
  return signedPayment(accepted, { signature, authorization });
}

/** Returns 32 random bytes in hexadecimal. */
export function randomNonce(): Hex {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
