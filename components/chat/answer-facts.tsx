import { formatDuration } from '@/lib/browser/amounts';
import { answerFacts } from '@/lib/browser/chat/answer-facts';
import type { Answer } from '@/lib/browser/chat/conversation';

/** Tokens, cost and time of an answer. */
export function AnswerFacts({ answer }: { answer: Answer }) {
  const { firstTokenMs } = answer;
  return (
    <p data-testid="answer-facts" className="figures min-w-0 text-xs text-dim" title={`Tokens of the question and all before it + tokens of the answer; what they cost; time in all${firstTokenMs === null ? '' : `, of which ${formatDuration(firstTokenMs)} until the first word`}`}>
      {answerFacts(answer).join(' · ')}
    </p>
  );
}
