/** Errors of end-to-end encryption, in the specification's words ("Private inference (messages)"). */
export const E2EE_MESSAGES = {
  INVALID_PUBLIC_KEY: 'Invalid public key',
  ENCRYPTED_FIELD_NOT_HEX: 'Encrypted field is not valid hex',
  DECRYPTION_FAILED: 'Failed to decrypt field',
  STREAMING_REQUIRED: 'E2EE requires streaming',
  NONCE_LENGTH: 'Nonce must be exactly 32 bytes',
} as const;

export type E2eeFault = keyof typeof E2EE_MESSAGES;

/** Refusal of a key, field or request. The message starts with the specified text, and details may follow a colon. */
export class E2eeError extends Error {
  override readonly name = 'E2eeError';

  constructor(
    readonly fault: E2eeFault,
    detail?: string,
  ) {
    super(detail === undefined ? E2EE_MESSAGES[fault] : `${E2EE_MESSAGES[fault]}: ${detail}`);
  }
}
