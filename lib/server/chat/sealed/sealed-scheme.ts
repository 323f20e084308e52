import type { TokenPrice } from '@/lib/protocol/chat/token-price';
import type { ToldUsage } from '@/lib/protocol/e2ee/ehbp/usage-metrics';
import { type ApiError, apiError, type ErrorCode } from '@/lib/protocol/errors';
import type { PaidCall } from '../../billing/paid-call';
import type { UpstreamEncryption } from '../../config/inference';
import type { Call } from '../../http/call';
import type { ModelRequest, UpstreamAnswer } from '../../upstreams/models/model-exchange';
import type { ModelUpstream } from '../../upstreams/models/model-upstream';
import type { ChatModel, ModelType } from '../chat-model';

/** Unencrypted headers, by lower-case name. */
export type SealedHeaders = Readonly<Record<string, string>>;

/** Service that an encrypted request uses. */
export interface SealedWork {
  type: ModelType;
  /** Name in keys' scopes and in the ledger. */
  endpoint: 'chat' | 'embeddings';
  path: string;
  keyPrefix: string;
}

/**
 * Scheme that encrypts whole bodies. Defines which parts of requests and answers the gateway can read, and where
 * requests are sent.
 */
export interface SealedScheme {
  encryption: UpstreamEncryption;
  /** Returns whether a request uses this scheme. Each scheme has its own header. */
  isUsedBy: (call: Call) => boolean;
  /** @throws ApiError */
  headersOf: (call: Call) => SealedHeaders;
  /** Error for a request that also has the header of another scheme. */
  headersFault: ErrorCode;
  isBody: (body: Uint8Array) => boolean;
  bodyFault: ErrorCode;
  /** Returns all models that the encrypted body may request, including the header's `model`. */
  servable: (model: ChatModel, besides: readonly ChatModel[]) => readonly ChatModel[];
  promptTokensMax: (bodyBytes: number, contextTokens: number) => number;
  estimatePrompt: (bodyBytes: number) => number;
  /** Returns the destination and headers. @throws ApiError or UpstreamFailed before anything is sent */
  question: (chat: PaidSealedChat) => Promise<SealedUpstreamRequest>;
  /** Returns the answer's tracker; null if the answer is not encrypted. */
  account: (status: number, headers: UpstreamAnswer['headers'], chat: PaidSealedChat) => SealedAccount | null;
  /** Returns whether an unencrypted answer states that the enclave did nothing. The gateway may then ask again. */
  mayAskAgain: (answer: UpstreamAnswer) => boolean;
  refusal: (answer: UpstreamAnswer, chat: PaidSealedChat) => Error;
}

/** Request whose body the gateway cannot read. The readable parts have been checked. */
export interface SealedChat {
  scheme: SealedScheme;
  work: SealedWork;
  model: ChatModel;
  servable: readonly ChatModel[];
  /** Highest input price and highest output price of the `servable` models. */
  dearest: TokenPrice;
  headers: SealedHeaders;
  contentType: string;
  body: Uint8Array;
  promptTokensMax: number;
  completionTokensMax: number;
  answerBytesMax: number;
  maxNanoUsd: number;
}

export interface PaidSealedChat extends SealedChat {
  paid: PaidCall;
}

export interface SealedUpstreamRequest {
  upstream: ModelUpstream;
  request: Omit<ModelRequest, 'timeoutMs'>;
}

/** Tracks an encrypted answer while it arrives, without decrypting it. */
export interface SealedAccount {
  readonly headers: SealedHeaders;
  readonly usage: ToldUsage | null;
  push(bytes: Uint8Array): void;
  end(trailers: UpstreamAnswer['headers'] | undefined): void;
  /** True if a complete event or frame that a client can decrypt has arrived. */
  readonly hasContent: boolean;
  /** False if the bytes so far end inside an event or frame. */
  readonly isWhole: boolean;
  readonly hasFailed: boolean;
  /** True if a part that must be encrypted arrived unencrypted. */
  readonly isInTheClear: boolean;
  /** Estimated completion tokens, for answers that report no usage. */
  readonly estimatedTokens: number;
  /** Returns whether the answer is longer than a completion of this many tokens can be. */
  isBeyond(completionTokensMax: number): boolean;
}

/**
 * Returns the error that replaces an unencrypted answer. Such an answer cannot come from the enclave that decrypted the
 * request.
 */
export function answeredInTheClear(): ApiError {
  return apiError('MODEL_ANSWER_INVALID', { message: 'The enclave answered an encrypted request without encryption.' });
}
