/** What vouches for an answer: what the signature over an exchange is worth, or what stands in its place. */
export interface SignatureCheck {
  /**
   * - `verified`: by the key that was attested before the question was sent.
   * - `attested-after`: by another key, which was attested only after the answer. The enclave was started anew, or another
   *   one answered: what answered holds an attested key now, and was not the one that proved itself before.
   * - `sealed`: there is none, and it takes none: the answer is encrypted with what only the holder of the attested key
   *   can have read in the request (`vouchesForAnswers`).
   * - `sealed-pieces`: the same of each piece of the answer by itself. That none was left out or moved on the way, nothing
   *   in the encryption says.
   * - `invalid`: by neither, or over other bytes.
   * - `missing`: nobody gave one.
   */
  outcome: 'verified' | 'attested-after' | 'sealed' | 'sealed-pieces' | 'invalid' | 'missing';
  /** Why it is not verified, in a sentence. */
  reason: string | null;
  /** Of what is `missing`: whether nobody answered, or the gateway refused to ask. Neither tells whether it was signed. */
  unasked?: 'unanswered' | 'refused';
  /** What was signed, the signature, and by whom it is said to be, as they came. */
  text: string | null;
  signature: string | null;
  namedAddress: string | null;
  /** Who signed, found by the signature itself; null for what is none. */
  signer: string | null;
  /** The address that the attestation bound before the question was sent; empty where it bound none. */
  attestedAddress: string;
  /** sha256 over the bytes as they were sent and received here. */
  requestHash: string;
  responseHash: string;
}
