import { estimateSealedPrompt } from '@/lib/protocol/e2ee/ehbp/frame-account';
import type { ToldUsage } from '@/lib/protocol/e2ee/ehbp/usage-metrics';
import type { TokenPrice } from '@/lib/protocol/chat/token-price';
import type { ReplayBody } from '../../billing/keeping';
import type { PaidCall, Purchase } from '../../billing/paid-call';
import { costOf } from '../chat-budget';
import type { ChatModel } from '../chat-model';

/** A chat whose body the gateway cannot read, checked as far as it can be seen. */
export interface SealedChat {
  /** The model that its header names. */
  model: ChatModel;
  /** All that its body can name instead, which the enclave's server would serve: that one among them. */
  servable: readonly ChatModel[];
  /** The dearest of these, by its price in and its price out. */
  dearest: TokenPrice;
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

/**
 * What tokens of a sealed chat are bought as: at the price of the model that the enclave says served it. Where it names
 * none that is known it can have been any, and the dearest is what is sure to be paid.
 */
export function sealedPurchase({ model, servable, dearest, maxNanoUsd }: SealedChat, usage: ToldUsage, replayBody: ReplayBody | null = null): Purchase {
  const served = usage.model === null ? undefined : servable.find(({ id }) => id === usage.model);
  return {
    amountNanoUsd: costOf(usage, served ?? { price: dearest }, maxNanoUsd),
    credits: 0,
    units: usage.promptTokens + usage.completionTokens,
    resource: `chat/${(served ?? model).id}`,
    detail: `${usage.promptTokens} + ${usage.completionTokens} tokens`,
    replayBody,
  };
}

/** The prompt by itself, where nobody counts. */
export function promptOf({ body, promptTokensMax }: SealedChat): ToldUsage {
  return { promptTokens: Math.min(estimateSealedPrompt(body.byteLength), promptTokensMax), completionTokens: 0, model: null };
}
