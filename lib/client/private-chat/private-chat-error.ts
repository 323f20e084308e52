import { FAILURE_REASONS } from '@/lib/protocol/tee/verify-attestation';
import type { Attestation } from './judged-attestation';

/** What can end a chat, other than a refusal by the gateway (`GatewayError`) or its silence (`UnreachableError`). */
const FAULTS = {
  ATTESTATION_FAILED: {
    message: FAILURE_REASONS.VERIFICATION,
    hint: 'Nothing was sent. Look at the check that failed; do not use this model until the operator has explained it.',
    isTampering: true,
  },
  ATTESTATION_NONCE: {
    message: FAILURE_REASONS.NONCE,
    hint: 'Nothing was sent. The quote was made for somebody else, or earlier: attest again, and if it persists do not use this model.',
    isTampering: true,
  },
  ATTESTATION_DEBUG: {
    message: FAILURE_REASONS.DEBUG,
    hint: 'Nothing was sent. Whoever runs this enclave can read its memory: do not use this model.',
    isTampering: true,
  },
  ATTESTATION_NOT_CHECKABLE: {
    message: 'The attestation cannot be checked.',
    hint: 'Nothing was sent. Something that checking takes is missing from the report; try again later, or choose another model.',
    isTampering: false,
  },
  ATTESTATION_NOT_ACCEPTED: {
    message: 'The attestation holds, but not for what was asked of it.',
    hint: 'Nothing was sent. Accept this verdict expressly, or pin the workload that may run there.',
    isTampering: false,
  },
  ANSWERS_NOT_SIGNED: {
    message: 'Nothing would vouch for an answer of this model.',
    hint: 'Nothing was sent. Its enclave attested no key that answers are signed with, and takes nothing encrypted. Choose another model, or accept such answers expressly.',
    isTampering: false,
  },
  REPLY_NOT_A_STREAM: {
    message: 'The reply is no event stream.',
    hint: 'Nothing of it was shown. Something between here and the enclave may have answered in its place.',
    isTampering: true,
  },
  REPLY_NOT_ENCRYPTED: {
    message: 'The reply has plain text where encrypted content was due.',
    hint: 'It was stopped there: somebody between here and the enclave may speak in its name. Attest again before going on.',
    isTampering: true,
  },
  REPLY_NOT_DECRYPTABLE: {
    message: 'The reply has content that does not decrypt.',
    hint: 'It was stopped there: it was touched on its way, or meant for somebody else. Attest again before going on.',
    isTampering: true,
  },
  REPLY_MALFORMED: {
    message: 'The reply is not of the form of a chat.',
    hint: 'It was stopped there. Try again; if it persists, tell the operator.',
    isTampering: true,
  },
  REPLY_CUT: {
    message: 'The reply broke off before its end.',
    hint: 'What there is may be incomplete, and nobody has signed it. Ask again.',
    isTampering: false,
  },
  REPLY_TOO_LONG: {
    message: 'The reply is longer than this client takes.',
    hint: 'Ask for fewer tokens.',
    isTampering: false,
  },
  REPLY_TIMEOUT: {
    message: 'The reply did not go on in time.',
    hint: 'Ask again, for fewer tokens perhaps.',
    isTampering: false,
  },
  REPLY_ERROR: {
    message: 'The model ended its reply with an error.',
    hint: 'Ask again; if it persists, choose another model.',
    isTampering: false,
  },
  SIGNATURE_INVALID: {
    message: 'The signature of the reply does not hold.',
    hint: 'Do not rely on what was shown: it is not, byte for byte, what the attested enclave answered to this request.',
    isTampering: true,
  },
  SIGNATURE_MISSING: {
    message: 'There is no signature of the reply.',
    hint: 'Nothing proves that the reply is the enclave’s: do not rely on it.',
    isTampering: true,
  },
  NOTHING_TO_SEND: {
    message: 'There is no message to send.',
    hint: 'The last message must be one of a user.',
    isTampering: false,
  },
} as const;

export type PrivateChatFault = keyof typeof FAULTS;

/**
 * A chat that was stopped. `message` is a sentence, that of the specification where there is one; `hint` says what
 * to do about it.
 */
export class PrivateChatError extends Error {
  override readonly name = 'PrivateChatError';
  readonly hint: string;
  /** Whether somebody between client and enclave could be the cause: to be shown as a warning that stays. */
  readonly isTampering: boolean;

  constructor(
    readonly code: PrivateChatFault,
    /** What exactly, where the code does not say all. */
    readonly detail: string | null = null,
    /** Of the faults of an attestation: the attestation itself, with its checks. */
    readonly attestation: Attestation | null = null,
    options?: ErrorOptions,
  ) {
    super(FAULTS[code].message, options);
    this.hint = FAULTS[code].hint;
    this.isTampering = FAULTS[code].isTampering;
  }
}
