'use client';

import { Button } from '@/components/ui/button';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import type { Turn } from '@/lib/browser/chat/conversation';
import { draftQuestion, editOf, useQuestionDraft } from '@/lib/browser/chat/question-drafts';
import type { RunningAnswer } from '@/lib/browser/chat/running-answer';
import { useAway } from '@/lib/browser/chat/use-away';
import { canAskAgain, type Chat } from '@/lib/browser/chat/use-chat';
import { chatTurnWords as words } from '@/lib/browser/words/chat-turns';
import { Pencil } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { AnswerView } from './answer-view';
import { QuestionField } from './question-field';
import { QuestionView } from './question-view';
import { RunningView } from './running-view';
import { VersionSteps } from './version-steps';

const TwoAnswers = onDemand(() => import('./two-answers').then((module) => module.TwoAnswers), {
  waiting: <Skeleton className="h-40" />,
});

export function TurnView({ chat, turn, running }: { chat: Chat; turn: Turn; running: readonly RunningAnswer[] }) {
  const place = editOf(turn.id);
  const draft = useQuestionDraft(place);
  const isEditing = draft !== null;
  const [wasBegunHere, setWasBegunHere] = useState(false);
  const canAsk = chat.obstacle === null && canAskAgain(chat.running, turn, null);
  const own = running.find(({ turnId }) => turnId === turn.id) ?? null;
  const edit = useRef<HTMLButtonElement>(null);
  const hasCancelled = useRef(false);
  useEffect(() => {
    // Returns focus to the Edit button after cancelling.
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
          <QuestionView question={turn.question} files={turn.files} />
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
  /** True if the field takes focus when it appears. False when a reload restored the edit. */
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
