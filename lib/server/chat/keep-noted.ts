import type { TokenUsage } from '@/lib/protocol/chat/token-usage';
import type { Gateway } from '../gateway';
import { chargeOf, type PaidChat } from './paid-chat';

/** Between two notes: a fraction of a reservation's lease. */
const INTERVAL_MS = 10_000;

/**
 * Keeps the reservation of a chat alive while it runs, and notes what it came to so far, which is charged if this
 * process dies.
 * @param usage what it took until now; nothing that is charged if the process dies, unless given
 * @returns how to stop
 */
export function keepNoted(chat: PaidChat, { meter, log }: Gateway, usage: () => TokenUsage = nothing): () => void {
  const timer = setInterval(() => {
    Promise.resolve(meter.checkpoint(chat.reservation, chargeOf(chat, usage()))).catch((error: unknown) => {
      log.warn({ err: error, requestId: chat.call.requestId }, 'a running chat could not be noted');
    });
  }, INTERVAL_MS);
  return () => clearInterval(timer);
}

function nothing(): TokenUsage {
  return { promptTokens: 0, completionTokens: 0 };
}
