import { listCharges, type TurnpikeClientOptions } from '@/lib/client';
import type { ChatAnswer } from '@/lib/client/private-chat';
import { tokenCostNanoUsd, type TokenPrice } from '@/lib/protocol/chat/token-price';
import { formatUsd } from '@/lib/protocol/pricing';

const DECIMALS = 9;
const RECENT_CHARGES = 50;

/** What an answer cost, in USD. */
export interface AnswerCost {
  usd: string;
  /** Whether it was read from the caller's charges, and not reckoned from tokens and prices. */
  isCharged: boolean;
}

/** What was charged for an answer; where that cannot be read, what its tokens cost by the list; null where neither is known. */
export async function costOf(
  { requestId, usage }: ChatAnswer,
  price: TokenPrice | null,
  connection: TurnpikeClientOptions,
): Promise<AnswerCost | null> {
  const charge = await listCharges(connection, { limit: RECENT_CHARGES })
    .then(({ data }) => data.find((each) => each.requestId === requestId))
    .catch(() => undefined);
  if (charge && requestId !== null) return { usd: charge.amount, isCharged: true };
  return usage && price ? { usd: formatUsd(tokenCostNanoUsd(usage, price), DECIMALS), isCharged: false } : null;
}
