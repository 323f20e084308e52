import { FAILURE_REASONS } from '@/lib/protocol/tee/verify-attestation';
import type { Attestation } from './judged-attestation';

/** Errors that end a chat, besides `GatewayError` and `UnreachableError`. */
const FAULTS = {
  ATTESTATION_FAILED: {
    message: FAILURE_REASONS.VERIFICATION,
    hint: 'Nothing was sent. Do not use this model until the operator has explained the failed check.',
    isTampering: true,
  },
  ATTESTATION_NONCE: {
    message: FAILURE_REASONS.NONCE,
    hint: 'Nothing was sent. The quote is old or was made for another client. Attest again. If the error persists, do not use this model.',
    isTampering: true,
  },
  ATTESTATION_DEBUG: {
    message: FAILURE_REASONS.DEBUG,
    hint: 'Nothing was sent. The host of this enclave can read its memory, so do not use this model.',
    isTampering: true,
  },
  ATTESTATION_NOT_CHECKABLE: {
    message: 'The attestation cannot be checked.',
    hint: 'Nothing was sent. Try again later, or choose another model.',
    isTampering: false,
  },
  ATTESTATION_NOT_ACCEPTED: {
    message: 'The attestation is genuine, but its verdict is not one that you accept.',
    hint: 'Nothing was sent. Accept this verdict explicitly, or pin the allowed workload.',
    isTampering: false,
  },
  ANSWERS_NOT_SIGNED: {
    message: 'The answers of this model could not be verified.',
    hint: 'Nothing was sent. The enclave did not attest a key for signing answers and does not support encryption. Choose another model, or accept unsigned answers explicitly.',
    isTampering: false,
  },
  REPLY_NOT_A_STREAM: {
    message: 'The reply is not an event stream.',
    hint: 'The reply was not shown. A server between this client and the enclave may have answered instead.',
    isTampering: true,
  },
  REPLY_NOT_ENCRYPTED: {
    message: 'The reply has plain text instead of encrypted content.',
    hint: 'The reply was stopped. A server between this client and the enclave may have answered instead. Attest again before you continue.',
    isTampering: true,
  },
  REPLY_NOT_DECRYPTABLE: {
    message: 'The reply has content that cannot be decrypted.',
    hint: 'The reply was stopped. It was changed on the way, or encrypted for another client. Attest again before you continue.',
    isTampering: true,
  },
  REPLY_MALFORMED: {
    message: 'The reply is not a valid chat response.',
    hint: 'The reply was stopped. Try again. If the error persists, tell the operator.',
    isTampering: true,
  },
  REPLY_CUT: {
    message: 'The reply broke off before its end.',
    hint: 'The received part may be incomplete and is not signed. Ask again.',
    isTampering: false,
  },
  REPLY_TOO_LONG: {
    message: 'The reply is longer than this client accepts.',
    hint: 'Ask for fewer tokens.',
    isTampering: false,
  },
  REPLY_TIMEOUT: {
    message: 'The reply stalled for too long.',
    hint: 'Ask again, or ask for fewer tokens.',
    isTampering: false,
  },
  REPLY_ERROR: {
    message: 'The model ended its reply with an error.',
    hint: 'Ask again. If the error persists, choose another model.',
    isTampering: false,
  },
  SIGNATURE_INVALID: {
    message: 'The signature of the reply is not valid.',
    hint: 'Do not rely on the shown reply: it is not exactly what the attested enclave answered to this request.',
    isTampering: true,
  },
  SIGNATURE_MISSING: {
    message: 'The reply has no signature.',
    hint: 'Nothing proves that the reply is from the enclave, so do not rely on it.',
    isTampering: true,
  },
  NOTHING_TO_SEND: {
    message: 'There is no message to send.',
    hint: 'The last message must have the role user.',
    isTampering: false,
  },
} as const;

export type PrivateChatFault = keyof typeof FAULTS;

/** Error that ended a chat. `message` is a sentence, from the specification if possible. `hint` says what to do. */
export class PrivateChatError extends Error {
  override readonly name = 'PrivateChatError';
  readonly hint: string;
  /** True if an intermediary may have caused the error. Callers should show a lasting warning. */
  readonly isTampering: boolean;

  constructor(
    readonly code: PrivateChatFault,
    readonly detail: string | null = null,
    readonly attestation: Attestation | null = null,
    options?: ErrorOptions,
  ) {
    super(FAULTS[code].message, options);
    this.hint = FAULTS[code].hint;
    this.isTampering = FAULTS[code].isTampering;
  }
}
