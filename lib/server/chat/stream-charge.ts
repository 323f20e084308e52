import { estimatePromptTokens } from '@/lib/protocol/chat/prompt-estimate';
import { isSameUsage, type TokenUsage } from '@/lib/protocol/chat/token-usage';
import type { ReplayBody } from '../billing/keeping';
import { answerTokensMax } from './chat-budget';
import type { FollowedStream } from './native/native-account';
import { usageEvent } from './own-events';
import { type PaidChat, schemeOf, settleChat, soldOf } from './paid-chat';

/** What a stream came to: as its server counted, and as estimated where it did not. */
export class StreamCharge {
  /** The usage that the client was last told. */
  #told: TokenUsage | null = null;
  #estimatedPrompt: number | null = null;

  constructor(
    private readonly chat: PaidChat,
    private readonly account: FollowedStream,
  ) {}

  /** Notes a usage that goes out to the client. */
  tell(usage: TokenUsage | null): void {
    this.#told = usage ?? this.#told;
  }

  /** As reported, and what was produced since; all of it estimated where nothing was. An estimate never exceeds the limit. */
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
   * The event that tells what is sold, for a client that was told a usage or asked for it.
   * @param isAsked whether it asked
   * @returns null where it was told that already, or wants none
   */
  untold(isAsked: boolean): Uint8Array | null {
    if (this.#told === null && !isAsked) return null;
    const sold = soldOf(this.chat, this.usage());
    return this.#told !== null && isSameUsage(this.#told, sold)
      ? null
      : usageEvent(this.chat.model.id, this.chat.paid.call.requestId, sold);
  }

  /** Charges it, and frees what is held beyond. @param replayBody the answer, where it is kept; @param isNothing where nothing was sold */
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
