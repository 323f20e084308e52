import type { ToldUsage } from '@/lib/protocol/e2ee/ehbp/usage-metrics';
import type { ReplayBody } from '../../billing/stored-answers';
import type { Purchase } from '../../billing/paid-call';
import { usageText } from '@/lib/protocol/chat/token-usage';
import { costOf } from '../chat-budget';
import type { SealedChat, SealedHeaders } from './sealed-scheme';

export interface SealedHead {
  status: number;
  headers: SealedHeaders;
}

/**
 * Returns the purchase of a sealed chat. Uses the price of the model that the enclave reports. If the enclave reports
 * no model, uses the highest price.
 */
export function sealedPurchase(
  { work, model, servable, dearest, maxNanoUsd }: SealedChat,
  usage: ToldUsage,
  replayBody: ReplayBody | null = null,
): Purchase {
  const served = usage.model === null ? undefined : servable.find(({ id }) => id === usage.model);
  return {
    amountNanoUsd: costOf(usage, served ?? { price: dearest }, maxNanoUsd),
    credits: 0,
    units: usage.promptTokens + usage.completionTokens,
    resource: `${work.endpoint}/${(served ?? model).id}`,
    detail: work.type === 'text' ? usageText(usage) : `${usage.promptTokens} tokens`,
    replayBody,
  };
}

export function promptOf({ scheme, body, promptTokensMax }: SealedChat): ToldUsage {
  return {
    promptTokens: Math.min(scheme.estimatePrompt(body.byteLength), promptTokensMax),
    completionTokens: 0,
    model: null,
  };
}
