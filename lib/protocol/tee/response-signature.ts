import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { personalMessageHash, recoverEvmSigner } from '../evm-signature';

/**
 * Signatures of enclaves over an exchange: EIP-191 over the text `sha256(request):sha256(response)` in hex, or
 * `model:` in front. The hashes cover the bytes of the bodies as they were sent, encrypted where they were, the
 * whole event stream with its `[DONE]` included.
 */
export interface ResponseSignature {
  text: string;
  /** 65 bytes r ‖ s ‖ v in hex, with or without 0x. */
  signature: string;
}

export interface SignedExchange {
  model: string;
  /** Hex, as `ExchangeHash` gives them. */
  requestHash: string;
  responseHash: string;
  /** The address that the attestation bound. */
  address: string;
}

/** SHA-256 over a body that comes in parts. */
export class ExchangeHash {
  readonly #hash = sha256.create();

  update(bytes: Uint8Array): this {
    this.#hash.update(bytes);
    return this;
  }

  /** Lower-case hex of the hash so far. More may follow. */
  hex(): string {
    return bytesToHex(this.#hash.clone().digest());
  }
}

/** The texts that an enclave may sign for an exchange. */
export function signableTexts({ model, requestHash, responseHash }: SignedExchange): string[] {
  const hashes = `${requestHash}:${responseHash}`;
  return [hashes, `${model}:${hashes}`];
}

/**
 * What speaks against a signature over an exchange, in a sentence; null where it is by the attested address,
 * over this request and this response.
 */
export function responseSignatureFault(
  { text, signature }: ResponseSignature,
  exchange: SignedExchange,
): string | null {
  if (!signableTexts(exchange).includes(text)) return 'The signature is about another request or another response.';
  const signer = recoverSigner(text, signature);
  if (signer === null) return 'The signature is not 65 bytes of a valid, normalised ECDSA signature.';
  return signer === exchange.address.toLowerCase() ? null : 'The signature is by another key than was attested.';
}

/**
 * The address that signed a text by EIP-191.
 *
 * @returns `0x` and lower-case hex; null for what is no signature, and for one with a high s, which anybody can
 *   make out of another (EIP-2)
 */
export function recoverSigner(text: string, signature: string): string | null {
  return recoverEvmSigner(personalMessageHash(text), signature);
}
