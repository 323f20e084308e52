/** Error code of an ML-KEM body. Codes are never sent over the wire. */
export type MlKemFault =
  /** Key that ML-KEM-768 refuses. */
  | 'INVALID_KEY'
  /** Bytes that do not decrypt, or decrypt to a wrong format. The message never says why. */
  | 'NOT_DECRYPTABLE'
  /** Plaintext instead of ciphertext. */
  | 'NOT_ENCRYPTED'
  | 'TRUNCATED'
  | 'TOO_LONG';

export class MlKemError extends Error {
  override readonly name = 'MlKemError';

  constructor(
    readonly fault: MlKemFault,
    detail: string,
    options?: ErrorOptions,
  ) {
    super(detail, options);
  }
}
