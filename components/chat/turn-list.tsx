'use client';

import { BrandMark } from '@/components/ui/brand';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { Summary } from '@/components/ui/summary';
import { ChevronLeft, ChevronRight, Pencil } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { AnswerView, MarkdownText } from './answer-view';
import type { Turn } from './conversation';
import { draftQuestion, editOf, useQuestionDraft } from './question-drafts';
import { QuestionField, useAway } from './question-field';
import { QuestionView } from './question-view';
import type { RunningAnswer } from './running-answer';
import { versionPlaceOf } from './turn-versions';
import { chatTurnWords as words } from './turn-words';
import { canAskAgain, type Chat } from './use-chat';

interface TurnListProps {
  chat: Chat;
  turns: readonly Turn[];
  running: readonly RunningAnswer[];
  /** Called once the turns are on the page, so that the caller can scroll to the end. */
  onShown: () => void;
}

export function TurnList({ chat, turns, running, onShown }: TurnListProps) {
  useLayoutEffect(() => {
    onShown();
  }, [onShown]);
  return (
    <ol
      className={cn(
        'mx-auto grid w-full grid-cols-[minmax(0,1fr)] gap-6 px-3 py-5 lg:px-6',
        turns.some(({ beside }) => beside !== undefined) ? 'max-w-6xl' : 'max-w-3xl',
      )}
    >
      {turns.map((turn, index) => (
        // Keyed by index, so that stepping through versions keeps focus.
        <TurnView key={index} chat={chat} turn={turn} running={running} />
      ))}
    </ol>
  );
}

const TwoAnswers = onDemand(() => import('./two-answers').then((module) => module.TwoAnswers), {
  waiting: <Skeleton className="h-40" />,
});

function TurnView({ chat, turn, running }: { chat: Chat; turn: Turn; running: readonly RunningAnswer[] }) {
  const place = editOf(turn.id);
  const draft = useQuestionDraft(place);
  const isEditing = draft !== null;
  const [wasBegunHere, setWasBegunHere] = useState(false);
  const canAsk = chat.obstacle === null && canAskAgain(chat.running, turn, null);
  const own = running.find(({ turnId }) => turnId === turn.id) ?? null;
  const edit = useRef<HTMLButtonElement>(null);
  const hasCancelled = useRef(false);
  useEffect(() => {
    if (!isEditing && hasCancelled.current) edit.current?.focus();
    hasCancelled.current = false;
  }, [isEditing]);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-3" data-turn={turn.id}>
      {isEditing ? (
        <EditQuestion
          text={draft}
          takesFocus={wasBegunHere}
          onChange={(text) => draftQuestion(place, text)}
          canAsk={canAsk}
          onAsk={() => {
            draftQuestion(place, null);
            chat.askAgain(turn.id, { question: draft });
          }}
          onCancel={() => {
            hasCancelled.current = true;
            draftQuestion(place, null);
          }}
        />
      ) : (
        <div className="group flex items-start gap-2">
          <QuestionView question={turn.question} files={turn.files} pictures={turn.pictures} />
          <Button
            ref={edit}
            tone="quiet"
            size="iconSm"
            aria-label={words.question.edit}
            title={words.question.editTitle}
            disabled={!canAsk}
            onClick={() => {
              setWasBegunHere(true);
              draftQuestion(place, turn.question);
            }}
          >
            <Pencil aria-hidden />
          </Button>
        </div>
      )}
      <VersionSteps turn={turn} onStep={(step) => chat.stepVersion(turn.id, step)} />
      {turn.beside !== undefined ? (
        <TwoAnswers chat={chat} turn={turn} beside={turn.beside} running={running} />
      ) : own !== null ? (
        <RunningView running={own} />
      ) : (
        <AnswerView key={turn.id} chat={chat} turn={turn} />
      )}
    </li>
  );
}

interface EditQuestionProps {
  text: string;
  /** False when a reload restored the edit. */
  takesFocus: boolean;
  onChange: (text: string) => void;
  canAsk: boolean;
  onAsk: () => void;
  onCancel: () => void;
}

function EditQuestion({ text, takesFocus, onChange, canAsk, onAsk, onCancel }: EditQuestionProps) {
  const away = useAway();
  const ask = () => canAsk && away === null && text.trim() !== '' && onAsk();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      onCancel();
    }
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    ask();
  };
  return (
    <form
      aria-label={words.question.edit}
      className="grid gap-2 rounded-md border border-edge bg-ground p-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        ask();
      }}
    >
      <QuestionField
        value={text}
        onChange={onChange}
        onKeyDown={onKeyDown}
        label={words.question.edited}
        autoFocus={takesFocus}
      />
      <div className="flex flex-wrap items-center justify-end gap-2">
        <span className="flex-1 px-1.5 text-xs text-dim">{away ?? words.question.staysAsVersion}</span>
        <Button size="sm" onClick={onCancel}>
          {words.question.cancel}
        </Button>
        <Button type="submit" size="sm" tone="primary" disabled={!canAsk || away !== null || text.trim() === ''}>
          {words.question.askAgain}
        </Button>
      </div>
    </form>
  );
}

function VersionSteps({ turn, onStep }: { turn: Turn; onStep: (step: -1 | 1) => void }) {
  const place = versionPlaceOf(turn);
  if (place === null) return null;
  const { number, count } = place;
  return (
    <div role="group" aria-label={words.versions.label} className="-my-1 flex items-center gap-0.5 text-xs text-dim">
      <StepButton label={words.versions.earlier} isPossible={number > 1} onClick={() => onStep(-1)}>
        <ChevronLeft aria-hidden />
      </StepButton>
      <span role="status" className="figures" aria-label={words.versions.place(number, count)}>
        {number} / {count}
      </span>
      <StepButton label={words.versions.later} isPossible={number < count} onClick={() => onStep(1)}>
        <ChevronRight aria-hidden />
      </StepButton>
    </div>
  );
}

/** Button that stays enabled at the first and last version, because a disabled button would lose focus. */
function StepButton({
  label,
  isPossible,
  onClick,
  children,
}: {
  label: string;
  isPossible: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <Button
      tone="quiet"
      size="iconSm"
      aria-label={label}
      title={label}
      aria-disabled={!isPossible}
      className="aria-disabled:opacity-40"
      onClick={() => isPossible && onClick()}
    >
      {children}
    </Button>
  );
}

export function RunningView({ running: { phase, text, reasoning, isPrivate } }: { running: RunningAnswer }) {
  return (
    <div aria-label={words.answer.label} role="article" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {reasoning !== '' && <Reasoning text={reasoning} />}
      {text === '' ? (
        <div aria-hidden className="grid gap-2 py-1">
          <Skeleton className="h-3.5 w-11/12" />
          <Skeleton className="h-3.5 w-2/3" />
        </div>
      ) : (
        <MarkdownText text={text} />
      )}
      <p role="status" className="flex min-h-7 items-center gap-1.5 text-xs text-dim">
        <BrandMark className="size-4 shrink-0 animate-pulse" />
        {words.running[phase]}…
        {isPrivate && phase === 'answering' && <span className="text-faint"> {words.running.notYetVouched}</span>}
      </p>
    </div>
  );
}

function Reasoning({ text }: { text: string }) {
  return (
    <details className="group rounded-md border border-line px-3 py-1.5 text-sm text-dim">
      <Summary chevronClassName="size-3.5" className="min-h-6 gap-1.5 hover:text-ink">
        {words.answer.thinking}
      </Summary>
      <p className="py-1.5 whitespace-pre-wrap wrap-anywhere">{text}</p>
    </details>
  );
}
