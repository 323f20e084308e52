'use client';

import { FailureCard } from '@/components/paying/recovery/failure-card';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Notice } from '@/components/ui/notice';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { formatCost, formatCount, formatDuration } from '@/lib/browser/text/amounts';
import { formatUsd } from '@/lib/protocol/pricing';
import { RotateCw, ScanEye, StepForward } from 'lucide-react';
import { Component, lazy, type ReactNode, Suspense, useState } from 'react';
import { isOfPrivateChat, useFailure } from './answer-failures';
import type { Answer, SideName, Turn } from './conversation';
import { hasCrossedWire, useExchange } from './exchanges';
import { useIsClaimed } from './running-answer';
import { CheckSignatureAgain, SignatureMark } from './signature-mark';
import { chatTurnWords as words } from './turn-words';
import { canAskAgain, type Chat } from './use-chat';

const WireView = onDemand(() => import('./wire-view').then((module) => module.WireView), {
  waiting: <Skeleton className="h-40" />,
});
const StructuredAnswer = onDemand(() => import('./structured-answer').then((module) => module.StructuredAnswer), {
  waiting: <Skeleton className="h-24" />,
});

/** @param side null if only one model answers */
export function AnswerView({ chat, turn, side = null }: { chat: Chat; turn: Turn; side?: SideName | null }) {
  const { id, answer } = side === 'beside' && turn.beside !== undefined ? turn.beside : turn;
  const [showsWire, setShowsWire] = useState(false);
  const exchange = useExchange(id);
  // A retry asks the model that is chosen now. If no second model is chosen, the second answer has no retry.
  const asked = side === 'beside' ? (chat.beside?.model ?? null) : chat.model;
  const isAskable = side !== 'beside' || asked !== null;
  const canAsk = isAskable && chat.obstacle === null && canAskAgain(chat.running, turn, side);
  const retry = () => chat.askAgain(turn.id, { side });
  const askAgain = side === null || asked === null ? words.answer.askAgain : words.beside.retry(asked.id);
  if (answer === null) return <Unanswered turnId={id} onRetry={retry} canAsk={canAsk} />;
  return (
    <div aria-label={words.answer.label} role="article" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {answer.text !== '' &&
        (answer.schemaFaults === null ? (
          <MarkdownText text={answer.text} />
        ) : (
          <StructuredAnswer text={answer.text} faults={answer.schemaFaults} />
        ))}
      {answer.signature.state === 'attested-after' && (
        <Notice tone="warn" title={words.answer.otherKeyTitle}>
          <p>{words.answer.otherKey(answer.signature.sentence)}</p>
        </Notice>
      )}
      <AnswerEnding
        turnId={id}
        answer={answer}
        canAsk={canAsk}
        isBusy={chat.running.length > 0 || !isAskable}
        // If both models' answers are interrupted, only the first model's answer resumes automatically.
        isLast={side !== 'beside' && chat.conversation?.turns.at(-1)?.id === turn.id}
        onRetry={retry}
      />
      {side === null && canGoOn(answer) && chat.conversation?.turns.at(-1)?.id === turn.id && (
        <div>
          <Button
            size="sm"
            disabled={!canAsk}
            title={words.answer.goOnTitle}
            onClick={() => chat.send(words.answer.goOnQuestion)}
          >
            <StepForward aria-hidden />
            {words.answer.goOn}
          </Button>
        </div>
      )}
      <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
        {answer.signature.state !== 'none' && answer.text !== '' && <SignatureMark signature={answer.signature} />}
        {answer.signature.state === 'unchecked' && answer.signature.claim !== undefined && (
          <CheckSignatureAgain chat={chat} turnId={id} answer={answer} claim={answer.signature.claim} />
        )}
        <AnswerFacts answer={answer} namesModel={side === null} />
        <span className="ml-auto flex items-center">
          {answer.text !== '' && <CopyButton text={answer.text} label={words.answer.copy} iconOnly />}
          {hasCrossedWire(answer, exchange) && (
            <Button
              tone="quiet"
              size="iconSm"
              aria-label={words.answer.wire}
              title={words.answer.wireTitle}
              aria-expanded={showsWire}
              onClick={() => setShowsWire(!showsWire)}
            >
              <ScanEye aria-hidden />
            </Button>
          )}
          {answer.problem === null && (
            <Button
              tone="quiet"
              size="iconSm"
              aria-label={askAgain}
              title={askAgain}
              disabled={!canAsk}
              onClick={retry}
            >
              <RotateCw aria-hidden />
            </Button>
          )}
        </span>
      </div>
      {showsWire && <WireView turnId={id} />}
    </div>
  );
}

function canGoOn({ text, end, schemaFaults }: Answer): boolean {
  return end !== 'whole' && text !== '' && schemaFaults === null;
}

function Unanswered({ turnId, onRetry, canAsk }: { turnId: string; onRetry: () => void; canAsk: boolean }) {
  const isClaimed = useIsClaimed(turnId);
  if (isClaimed === null) return null;
  if (isClaimed) return <Notice tone="info" title={words.answer.inOtherTab} />;
  return (
    <Notice
      tone="info"
      title={words.answer.leftBefore}
      actions={
        <Button size="sm" disabled={!canAsk} onClick={onRetry}>
          {words.answer.askAgain}
        </Button>
      }
    />
  );
}

function AnswerEnding({
  turnId,
  answer: { text, end, problem, advice = [] },
  canAsk,
  isBusy,
  isLast,
  onRetry,
}: {
  turnId: string;
  answer: Answer;
  canAsk: boolean;
  isBusy: boolean;
  isLast: boolean;
  onRetry: () => void;
}) {
  const failure = useFailure(turnId);
  // An error of a private chat is stored with the answer, and the code below shows it.
  if (failure !== null && !isOfPrivateChat(failure))
    return <FailureCard error={failure} onRetry={onRetry} interrupts={isLast ? 'chat' : undefined} isBusy={isBusy} />;
  if (problem !== null) {
    return (
      <Notice
        tone="bad"
        title={problem}
        actions={
          <Button size="sm" disabled={!canAsk} onClick={onRetry}>
            <RotateCw aria-hidden />
            {words.answer.askAgain}
          </Button>
        }
      >
        {advice.length > 0 && advice.map((sentence) => <p key={sentence}>{sentence}</p>)}
      </Notice>
    );
  }
  if (end === 'whole' && text === '') return <p className="text-xs text-dim">{words.answer.wordless}</p>;
  if (end === 'stopped') return <p className="text-xs text-dim">{words.answer.stopped}</p>;
  return end === 'length' ? <p className="text-xs text-dim">{words.answer.cut}</p> : null;
}

function AnswerFacts({ answer, namesModel }: { answer: Answer; namesModel: boolean }) {
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

/** Lists an answer's model, tokens, cost and time, as far as they are known. */
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

const Markdown = lazy(() => import('./markdown'));

/** Renders a model's Markdown. Shows plain text until the renderer has loaded, or if rendering fails. */
export function MarkdownText({ text }: { text: string }) {
  const plain = <p className="leading-6 whitespace-pre-wrap wrap-anywhere">{text}</p>;
  return (
    <PlainOnError plain={plain}>
      <Suspense fallback={plain}>
        <Markdown text={text} />
      </Suspense>
    </PlainOnError>
  );
}

class PlainOnError extends Component<{ plain: ReactNode; children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? this.props.plain : this.props.children;
  }
}
