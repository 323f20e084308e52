import { estimateSealedPrompt } from '@/lib/protocol/e2ee/ehbp/frame-account';
import type { TokenUsage } from '@/lib/protocol/chat/token-usage';
import type { ReplayBody } from '../../billing/keeping';
import type { PaidCall, Purchase } from '../../billing/paid-call';
import { costOf } from '../chat-budget';
import type { ChatModel } from '../chat-model';

/** A chat whose body the gateway cannot read, checked as far as it can be seen. */
export interface SealedChat {
  model: ChatModel;
  /** 64 characters of hex, lower case. */
  encapsulatedKey: string;
  contentType: string;
  body: Uint8Array;
  /** The most that it can come to: as many tokens of prompt as there are bytes, and one completion as long as the model gives. */
  promptTokensMax: number;
  completionTokensMax: number;
  maxNanoUsd: number;
}

/** One whose most is held. */
export interface PaidSealedChat extends SealedChat {
  paid: PaidCall;
}

/** What of the answer may be looked at: its status, and what its headers say. */
export interface SealedHead {
  status: number;
  /** 64 characters of hex. */
  responseNonce: string;
  contentType: string;
}

/** What tokens of a sealed chat are bought as. */
export function sealedPurchase({ model, maxNanoUsd }: SealedChat, usage: TokenUsage, replayBody: ReplayBody | null = null): Purchase {
  return {
    amountNanoUsd: costOf(usage, model, maxNanoUsd),
    credits: 0,
    units: usage.promptTokens + usage.completionTokens,
    resource: `chat/${model.id}`,
    detail: `${usage.promptTokens} + ${usage.completionTokens} tokens`,
    replayBody,
  };
}

/** The prompt by itself, where nobody counts. */
export function promptOf({ body, promptTokensMax }: SealedChat): TokenUsage {
  return { promptTokens: Math.min(estimateSealedPrompt(body.byteLength), promptTokensMax), completionTokens: 0 };
}
