/** Result of checking the signature over an exchange, or the encryption that replaces the signature. */
export interface SignatureCheck {
  /**
   * - `verified`: signed by the key attested before the request.
   * - `attested-after`: signed by a key that was attested only after the answer.
   * - `sealed`: unsigned. Only the holder of the attested key can have encrypted the answer (`vouchesForAnswers`).
   * - `sealed-pieces`: unsigned. As `sealed` for each piece, but nothing proves that all pieces arrived in order.
   * - `invalid`: signed by another key, or over other bytes.
   * - `missing`: no signature, and encryption does not replace it.
   */
  outcome: 'verified' | 'attested-after' | 'sealed' | 'sealed-pieces' | 'invalid' | 'missing';
  /** Reason, as a sentence, if the outcome is not `verified`. */
  reason: string | null;
  /**
   * Set for `missing` if the gateway refused or did not answer the request for the signature. The enclave may have
   * signed nevertheless.
   */
  unasked?: 'unanswered' | 'refused';
  /** Signed text as received. */
  text: string | null;
  signature: string | null;
  namedAddress: string | null;
  /** Recovered signer; null for an invalid signature. */
  signer: string | null;
  /** Address attested before the request; empty if there was none. */
  attestedAddress: string;
  /** SHA-256 of the bytes that this client sent and received. */
  requestHash: string;
  responseHash: string;
}
