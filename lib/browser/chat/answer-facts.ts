import { formatUsd } from '@/lib/protocol/pricing';
import { formatCost, formatCount, formatDuration } from '../amounts';
import type { Answer } from './conversation';

/** Lists an answer's model, tokens, cost and time. A started answer lists missing values as unknown. */
export function answerFacts({
  text,
  end,
  promptTokens,
  completionTokens,
  costNanoUsd,
  totalMs,
  modelId,
}: Answer): readonly string[] {
  const hasTokens = promptTokens !== null && completionTokens !== null;
  const wasBegun = text !== '' || end === 'stopped';
  return [
    modelId,
    ...(hasTokens ? [`${formatCount(promptTokens)} + ${formatCount(completionTokens)} tokens`] : []),
    ...(costNanoUsd === null ? [] : [formatCost(formatUsd(costNanoUsd, 9))]),
    ...(wasBegun && costNanoUsd === null ? [hasTokens ? 'cost not known' : 'tokens and cost not known'] : []),
    formatDuration(totalMs),
  ];
}
