/** What the signature over an exchange is worth. */
export interface SignatureCheck {
  /** `missing`: nobody gave one. */
  outcome: 'verified' | 'invalid' | 'missing';
  /** Why it is not verified, in a sentence. */
  reason: string | null;
  /** What was signed, and the signature, as they came. */
  text: string | null;
  signature: string | null;
  /** Who signed, found by the signature itself; null for what is none. */
  signer: string | null;
  /** The address that the attestation bound. */
  attestedAddress: string;
  /** sha256 over the bytes as they were sent and received here. */
  requestHash: string;
  responseHash: string;
}
