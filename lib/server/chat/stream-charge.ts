import { estimatePromptTokens } from '@/lib/protocol/chat/prompt-estimate';
import { StreamAccount } from '@/lib/protocol/chat/stream-account';
import { isSameUsage, type TokenUsage } from '@/lib/protocol/chat/token-usage';
import type { ReplayBody } from '../billing/stored-answers';
import { answerTokensMax } from './chat-budget';
import { type FollowedStream, NativeAccount } from './native/native-account';
import { usageEvent } from './own-events';
import { type PaidChat, schemeOf, settleChat, soldOf } from './paid-chat';

export function followedStream(chat: PaidChat): FollowedStream {
  const limitTokens = answerTokensMax(chat.budget);
  if (chat.native) return new NativeAccount(chat.native.api, limitTokens);
  return new StreamAccount({ encrypted: schemeOf(chat), limitTokens, completions: chat.budget.completions });
}

export class StreamCharge {
  #told: TokenUsage | null = null;
  #estimatedPrompt: number | null = null;

  constructor(
    private readonly chat: PaidChat,
    private readonly account: FollowedStream,
  ) {}

  tell(usage: TokenUsage | null): void {
    this.#told = usage ?? this.#told;
  }

  /** Returns the reported usage plus an estimate for the output since that report, up to the token limit. */
  usage(): TokenUsage {
    const { usage, estimatedTokens } = this.account;
    const counted = usage ?? { promptTokens: 0, completionTokens: 0 };
    const completionTokens =
      estimatedTokens === 0
        ? counted.completionTokens
        : Math.max(
            counted.completionTokens,
            Math.min(counted.completionTokens + estimatedTokens, answerTokensMax(this.chat.budget)),
          );
    return { ...counted, promptTokens: counted.promptTokens || this.#promptTokens(), completionTokens };
  }

  /**
   * Returns a usage event with the charged tokens. Returns null if the client has already received the same numbers, or
   * received none and did not request any.
   * @param isAsked true if the client requested usage
   */
  untold(isAsked: boolean): Uint8Array | null {
    if (this.#told === null && !isAsked) return null;
    const sold = soldOf(this.chat, this.usage());
    return this.#told !== null && isSameUsage(this.#told, sold)
      ? null
      : usageEvent(this.chat.model.id, this.chat.paid.call.requestId, sold);
  }

  async settle(replayBody: ReplayBody | null, isNothing: boolean): Promise<void> {
    try {
      if (!isNothing) await settleChat(this.chat, this.usage(), replayBody);
    } finally {
      await this.chat.paid.release();
    }
  }

  #promptTokens(): number {
    return (this.#estimatedPrompt ??= estimatePromptTokens(this.chat.body.request, { encrypted: schemeOf(this.chat) }));
  }
}
