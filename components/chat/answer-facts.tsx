import { formatCost, formatDuration } from '@/lib/browser/amounts';
import type { Answer } from '@/lib/browser/chat/conversation';
import { formatUsd } from '@/lib/protocol/pricing';

/** Tokens, cost and time of an answer. */
export function AnswerFacts({ answer: { promptTokens, completionTokens, costNanoUsd, firstTokenMs, totalMs, modelId } }: { answer: Answer }) {
  const facts = [
    modelId,
    ...(promptTokens === null || completionTokens === null ? [] : [`${promptTokens.toLocaleString('en-US')} + ${completionTokens.toLocaleString('en-US')} tokens`]),
    ...(costNanoUsd === null ? [] : [formatCost(formatUsd(costNanoUsd, 9))]),
    formatDuration(totalMs),
  ];
  return (
    <p data-testid="answer-facts" className="figures min-w-0 text-xs text-dim" title={`Tokens of the question and all before it + tokens of the answer; what they cost; time in all${firstTokenMs === null ? '' : `, of which ${formatDuration(firstTokenMs)} until the first word`}`}>
      {facts.join(' · ')}
    </p>
  );
}
