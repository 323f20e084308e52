import { listCharges, type TurnpikeClientOptions } from '@/lib/client';
import type { ChatAnswer } from '@/lib/client/private-chat';
import { tokenCostNanoUsd, type TokenPrice } from '@/lib/protocol/chat/token-price';
import { formatUsd } from '@/lib/protocol/pricing';

const DECIMALS = 9;
const RECENT_CHARGES = 50;

export interface AnswerCost {
  usd: string;
  /** True if read from the caller's charges, false if computed from tokens and prices. */
  isCharged: boolean;
}

/** Returns the charge of an answer, or else its tokens at the list price; null if both are unknown. */
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
