import { formatDuration } from '@/lib/browser/amounts';
import { answerFacts } from '@/lib/browser/chat/answer-facts';
import type { Answer } from '@/lib/browser/chat/conversation';
import { chatTurnWords as words } from '@/lib/browser/words/chat-turns';

export function AnswerFacts({ answer, namesModel }: { answer: Answer; namesModel: boolean }) {
  const { firstTokenMs } = answer;
  return (
    <p
      data-testid="answer-facts"
      className="figures min-w-0 text-xs text-dim"
      title={words.answer.facts(firstTokenMs === null ? null : formatDuration(firstTokenMs))}
    >
      {answerFacts(answer)
        .slice(namesModel ? 0 : 1)
        .join(' · ')}
    </p>
  );
}
