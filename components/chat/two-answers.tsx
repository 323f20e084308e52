'use client';

import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { onSingleClick } from '@/components/ui/single-click';
import type { Answer, SideAnswer, SideName, Turn } from './conversation';
import type { RunningAnswer } from './running-answer';
import type { Chat } from './use-chat';
import { chatWords as words } from './words';
import { chatTurnWords as turnWords } from './turn-words';
import { CircleDashed, LockOpen, Square } from 'lucide-react';
import { AnswerView } from './answer-view';
import { VERDICTS } from './privacy/verdicts';
import { RunningView } from './turn-list';

interface TwoAnswersProps {
  chat: Chat;
  turn: Turn;
  beside: SideAnswer;
  running: readonly RunningAnswer[];
}

/** Shows the answers of two models side by side where there is room, else one below the other. */
export function TwoAnswers({ chat, turn, beside, running }: TwoAnswersProps) {
  const mainModelId = turn.answer?.modelId ?? chat.conversation?.modelId ?? '';
  return (
    <div role="group" aria-label={turnWords.beside.sides} className="@container">
      <div className="grid grid-cols-[minmax(0,1fr)] divide-line @xl:grid-cols-2 @xl:divide-x max-@xl:divide-y">
        <OneAnswer chat={chat} turn={turn} side="main" answered={{ ...turn, modelId: mainModelId }} running={running} />
        <OneAnswer chat={chat} turn={turn} side="beside" answered={beside} running={running} />
      </div>
    </div>
  );
}

function OneAnswer({
  chat,
  turn,
  side,
  answered: { id, modelId, answer },
  running,
}: Omit<TwoAnswersProps, 'beside'> & { side: SideName; answered: SideAnswer }) {
  const own = running.find(({ turnId }) => turnId === id) ?? null;
  return (
    <section
      aria-label={modelId}
      data-side={side}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-2 max-@xl:py-3 max-@xl:first:pt-0 max-@xl:last:pb-0 @xl:first:pr-5 @xl:last:pl-5"
    >
      <header className="sticky top-0 z-10 flex min-h-9 items-center gap-2 bg-ground">
        <h4 className="min-w-0 flex-1 truncate text-sm font-semibold">{modelId}</h4>
        {own === null ? (
          answer !== null && <Verdict answer={answer} />
        ) : (
          <Button size="sm" aria-label={turnWords.beside.stop(modelId)} onClick={onSingleClick(() => chat.stop(id))}>
            <Square aria-hidden />
            {words.composer.stop}
          </Button>
        )}
      </header>
      {own !== null ? <RunningView running={own} /> : <AnswerView key={id} chat={chat} turn={turn} side={side} />}
    </section>
  );
}

function Verdict({ answer: { conclusion, isEncrypted, signature } }: { answer: Answer }) {
  const isOutside = conclusion === null && signature.state === 'none';
  const { Icon, ink, word } =
    conclusion !== null
      ? {
          ...VERDICTS[conclusion],
          word: conclusion === 'verified' && isEncrypted ? words.privacy.encrypted : words.privacy[conclusion],
        }
      : isOutside
        ? { Icon: LockOpen, ink: 'text-dim', word: words.privacy.none }
        : { Icon: CircleDashed, ink: 'text-dim', word: words.privacy.notVerified };
  return (
    <span data-testid="answer-privacy" className={cn('flex shrink-0 items-center gap-1 text-xs', ink)}>
      <Icon aria-hidden className="size-3.5" />
      <span className="sr-only">{words.privacy.label('')}</span>
      {word}
    </span>
  );
}
