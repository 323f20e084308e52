/** What goes wrong in a body that is encrypted with ML-KEM. For whoever called; it never goes over the wire. */
export type MlKemFault =
  /** The key is none that anything can be encrypted to. */
  | 'INVALID_KEY'
  /** It does not decrypt, or is not of the form of what does: it was touched, or is somebody else's. Never says which. */
  | 'NOT_DECRYPTABLE'
  /** It has content in the clear where encrypted content was due. */
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
