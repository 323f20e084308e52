import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { personalMessageHash, recoverEvmSigner } from '../evm-signature';

/**
 * Enclave's signature over an exchange: EIP-191 over the text `sha256(request):sha256(response)` in hex, with an
 * optional prefix `model:`. The hashes cover the body bytes as sent, encrypted or not. A stream's hash includes its
 * `[DONE]`.
 */
export interface ResponseSignature {
  text: string;
  /** 65 bytes r ‖ s ‖ v in hex, with or without 0x. */
  signature: string;
}

export interface SignedExchange {
  model: string;
  /** Hex from `ExchangeHash`. */
  requestHash: string;
  responseHash: string;
  /** Attested address. */
  address: string;
}

/** SHA-256 of a body that arrives in chunks. */
export class ExchangeHash {
  readonly #hash = sha256.create();

  update(bytes: Uint8Array): this {
    this.#hash.update(bytes);
    return this;
  }

  /** Returns the hash of all bytes so far, in lower-case hex. Callers may add more bytes. */
  hex(): string {
    return bytesToHex(this.#hash.clone().digest());
  }
}

/** Returns the accepted forms of the text that an enclave signs for an exchange. */
export function signableTexts({ model, requestHash, responseHash }: SignedExchange): string[] {
  const hashes = `${requestHash}:${responseHash}`;
  return [hashes, `${model}:${hashes}`];
}

/** Returns why the attested address did not sign this exchange, as a sentence; null if it signed. */
export function responseSignatureFault(
  { text, signature }: ResponseSignature,
  exchange: SignedExchange,
): string | null {
  if (!signableTexts(exchange).includes(text)) return 'The signature is for another request or another response.';
  const signer = recoverSigner(text, signature);
  if (signer === null) return 'The signature is not 65 bytes of a valid, normalised ECDSA signature.';
  return signer === exchange.address.toLowerCase() ? null : 'The signature was not made with the attested key.';
}

/**
 * Recovers the address that signed a text by EIP-191.
 *
 * @returns `0x` and lower-case hex; null for an invalid signature or a high s (EIP-2)
 */
export function recoverSigner(text: string, signature: string): string | null {
  return recoverEvmSigner(personalMessageHash(text), signature);
}
