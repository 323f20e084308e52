import type { TokenUsage } from '@/lib/protocol/chat/token-usage';
import type { TokenLogprob } from './further-fields';
import type { Attestation } from './judged-attestation';
import type { SignatureCheck } from './checked-signature';

/** What went out, byte for byte. */
export interface SentRequest {
  /** The body, whose contents are ciphertext where it was encrypted; in hex where all of it is. */
  bodyText: string;
  /** Whether `bodyText` is the bytes in hex. */
  isHex: boolean;
  /** Headers beside the credential. */
  headers: Readonly<Record<string, string>>;
  isEncrypted: boolean;
  /** sha256 of the body, hex. */
  hash: string;
  sentAtMs: number;
}

/** What came back, byte for byte. */
export interface ReceivedReply {
  bytes(): Uint8Array;
  /** The same as text: the event stream, in ciphertext where it was encrypted; in hex where there is no text in it. */
  text(): string;
  /** Whether `text` gives the bytes in hex. */
  isHex: boolean;
  /** sha256 of the bytes, hex. */
  hash: string;
}

/** An answer that came to its end. */
export interface ChatAnswer {
  completionId: string | null;
  text: string;
  reasoning: string;
  finishReason: string | null;
  /** Why the model does not answer, in its own words; absent where it answers. */
  refusal?: string;
  /** Of each token of the answer, where they were asked for. */
  logprobs?: readonly TokenLogprob[];
  /** Null where the model did not count. */
  usage: TokenUsage | null;
  /** X-Request-ID, under which the charge stands in GET /billing/usage. */
  requestId: string | null;
  /** Of a wallet, after the reservation for this call, in USD. */
  balanceRemainingUsd: string | null;
  /** From sending to the first text, and to the end, in milliseconds. */
  firstTextMs: number | null;
  totalMs: number;
  sent: SentRequest;
  received: ReceivedReply;
}

/** What happens while a chat is answered, in this order; `delta` many times. */
export type ChatEvent =
  | { type: 'sent'; request: SentRequest }
  /** The gateway has accepted the request. */
  | { type: 'began'; requestId: string | null; balanceRemainingUsd: string | null }
  | { type: 'delta'; kind: 'answer' | 'reasoning'; text: string }
  | { type: 'usage'; usage: TokenUsage }
  | { type: 'done'; answer: ChatAnswer };

/** The same of a private chat. A new key of the enclave gives `attested` and `sent` once more. */
export type PrivateChatEvent =
  | { type: 'attested'; attestation: Attestation; because: 'start' | 'age' | 'rotation' }
  | Exclude<ChatEvent, { type: 'done' }>
  /** What the signature over these bytes is worth. Until it comes, the text is confidential, and nobody has vouched for it. */
  | { type: 'signature'; check: SignatureCheck }
  | { type: 'done'; answer: ChatAnswer; signature: SignatureCheck; attestation: Attestation };
