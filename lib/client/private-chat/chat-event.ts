import type { TokenUsage } from '@/lib/protocol/chat/token-usage';
import type { TokenLogprob } from './chat-chunk';
import type { Attestation } from './judged-attestation';

export interface SentRequest {
  /** Request body as sent, possibly encrypted. Hex if the whole body is encrypted. */
  bodyText: string;
  isHex: boolean;
  /** Headers without the credential. */
  headers: Readonly<Record<string, string>>;
  isEncrypted: boolean;
  /** SHA-256 of the body, hex. */
  hash: string;
  sentAtMs: number;
}

export interface ReceivedReply {
  bytes(): Uint8Array;
  /** Returns the received event stream, possibly encrypted. Hex if it is not text. */
  text(): string;
  isHex: boolean;
  /** SHA-256 of the bytes, hex. */
  hash: string;
}

export interface ChatAnswer {
  completionId: string | null;
  text: string;
  reasoning: string;
  finishReason: string | null;
  /** Refusal in the model's own words. */
  refusal?: string;
  logprobs?: readonly TokenLogprob[];
  /** Null if the model reported no usage. */
  usage: TokenUsage | null;
  /** X-Request-ID. GET /billing/usage lists the charge under this id. */
  requestId: string | null;
  /** Wallet balance after the hold; null with an API key. */
  balanceRemainingUsd: string | null;
  /** Time from the reply's headers to the first text. `totalMs` runs from sending to the end. */
  firstTextMs: number | null;
  totalMs: number;
  sent: SentRequest;
  received: ReceivedReply;
}

/** Events of a chat, in the order in which they occur. `delta` occurs several times. */
export type ChatEvent =
  | { type: 'sent'; request: SentRequest }
  /** The gateway accepted the request. */
  | { type: 'began'; requestId: string | null; balanceRemainingUsd: string | null }
  | { type: 'delta'; kind: 'answer' | 'reasoning'; text: string }
  | { type: 'usage'; usage: TokenUsage }
  | { type: 'done'; answer: ChatAnswer };

/** Event of a private chat. After a change of the enclave's key, `attested` occurs again; after a retry, `sent` too. */
export type PrivateChatEvent =
  | { type: 'attested'; attestation: Attestation; because: 'start' | 'age' | 'rotation' }
  | Exclude<ChatEvent, { type: 'done' }>
  /** Result of the signature check. Until then, the text is confidential but unauthenticated. */
  | { type: 'signature'; check: SignatureCheck }
  | { type: 'done'; answer: ChatAnswer; signature: SignatureCheck; attestation: Attestation };

/** Result of authenticating an answer by the enclave's signature, or by the encryption if the answer is unsigned. */
export interface SignatureCheck {
  /**
   * - `verified`: signed by the key attested before the request.
   * - `attested-after`: signed by a key that was attested only after the answer.
   * - `sealed`: unsigned. Only the holder of the attested key can have encrypted the answer (`vouchesForAnswers`).
   * - `sealed-pieces`: unsigned. Each piece is authenticated as with `sealed`, but the order and completeness of the
   *   pieces are not.
   * - `invalid`: signed by another key, or over other bytes.
   * - `missing`: no signature, and the encryption does not authenticate the answer.
   */
  outcome: 'verified' | 'attested-after' | 'sealed' | 'sealed-pieces' | 'invalid' | 'missing';
  /** Reason, as a sentence, if the outcome is not `verified`. */
  reason: string | null;
  /**
   * Present if the outcome is `missing` because the gateway refused or did not answer the request for the signature.
   * The enclave may have signed nevertheless.
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
