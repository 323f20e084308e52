import type { TokenPrice } from '@/lib/protocol/chat/token-price';
import type { ToldUsage } from '@/lib/protocol/e2ee/ehbp/usage-metrics';
import type { ErrorCode } from '@/lib/protocol/errors';
import type { PaidCall } from '../../billing/paid-call';
import type { Call } from '../../http/call';
import type { UpstreamEncryption } from '../../config/inference';
import type { ModelRequest, UpstreamAnswer } from '../../upstreams/models/model-exchange';
import type { ModelUpstream } from '../../upstreams/models/model-upstream';
import type { ChatModel } from '../chat-model';

/** What is told of a request in the clear, by its headers' names in lower case. */
export type SealedHeaders = Readonly<Record<string, string>>;

/** A way of encrypting whole bodies: what of a request and its answer the gateway can see, and where it sends it. */
export interface SealedScheme {
  encryption: UpstreamEncryption;
  /** Whether a request is encrypted in this way, by the header that no other has. */
  isUsedBy: (call: Call) => boolean;
  /** Reads the headers of its own. @throws ApiError */
  headersOf: (call: Call) => SealedHeaders;
  /** Refuses a header of another scheme beside them. */
  headersFault: ErrorCode;
  /** Whether bytes can be such a body. */
  isBody: (body: Uint8Array) => boolean;
  bodyFault: ErrorCode;
  /** What else the body can name than the model that was named beside it: that one among them. */
  servable: (model: ChatModel, besides: readonly ChatModel[]) => readonly ChatModel[];
  /** The most tokens that a prompt in such a body can have, of a model that reads so many. */
  promptTokensMax: (bodyBytes: number, contextTokens: number) => number;
  /** What it is taken for where nobody counts. */
  estimatePrompt: (bodyBytes: number) => number;
  /** Where, and with what beside the body, it is asked. @throws ApiError | UpstreamFailed, with nothing sent */
  question: (chat: PaidSealedChat) => Promise<SealedQuestion>;
  /** What can be seen of an answer; null for one that is not encrypted. */
  account: (status: number, headers: UpstreamAnswer['headers'], chat: PaidSealedChat) => SealedAccount | null;
  /** Whether what was answered in the clear says that nothing was done, and another question may be answered. */
  mayAskAgain: (answer: UpstreamAnswer) => boolean;
  /** What the caller is told of an answer in the clear. */
  refusal: (answer: UpstreamAnswer, chat: PaidSealedChat) => Error;
}

/** A chat whose body the gateway cannot read, checked as far as it can be seen. */
export interface SealedChat {
  scheme: SealedScheme;
  /** The model that its header names. */
  model: ChatModel;
  /** All that its body can name instead, and would be served: that one among them. */
  servable: readonly ChatModel[];
  /** The dearest of these, by its price in and its price out. */
  dearest: TokenPrice;
  /** What its headers say that the scheme has. */
  headers: SealedHeaders;
  contentType: string;
  body: Uint8Array;
  /** The most that it can come to, with one completion as long as the model gives. */
  promptTokensMax: number;
  completionTokensMax: number;
  maxNanoUsd: number;
}

/** One whose most is held. */
export interface PaidSealedChat extends SealedChat {
  paid: PaidCall;
}

export interface SealedQuestion {
  upstream: ModelUpstream;
  request: Omit<ModelRequest, 'timeoutMs'>;
}

/** What can be seen of one encrypted answer, as it comes. */
export interface SealedAccount {
  /** Of its headers those that go on to the client. */
  readonly headers: SealedHeaders;
  /** What its headers say already; null where they say nothing. */
  readonly usage: ToldUsage | null;
  /** Takes the next bytes. */
  push(bytes: Uint8Array): void;
  /** Takes what stands behind its body. */
  end(trailers: UpstreamAnswer['headers'] | undefined): void;
  /** Whether something of it came whole that a client can read. */
  readonly hasContent: boolean;
  /** Whether it ends where something of it ends. */
  readonly isWhole: boolean;
  /** Whether it says itself that it failed. */
  readonly hasFailed: boolean;
  /** Whether something in it is in the clear that should not be. */
  readonly isInTheClear: boolean;
  /** Tokens that it is taken for where nobody counts. */
  readonly estimatedTokens: number;
  /** Whether more has come than a completion of so many tokens can be. */
  isBeyond(completionTokensMax: number): boolean;
}
