'use client';

import { Button } from '@/components/ui/button';
import type { Turn } from '@/lib/browser/chat/conversation';
import type { RunningAnswer } from '@/lib/browser/chat/running-answer';
import type { Chat } from '@/lib/browser/chat/use-chat';
import { Pencil } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { AnswerView } from './answer-view';
import { QuestionField } from './question-field';
import { QuestionView } from './question-view';
import { RunningView } from './running-view';

/** A question, which can be asked differently, and its answer. */
export function TurnView({ chat, turn, running }: { chat: Chat; turn: Turn; running: RunningAnswer | null }) {
  const [isEditing, setIsEditing] = useState(false);
  const canAsk = chat.obstacle === null && chat.running === null;
  const edit = useRef<HTMLButtonElement>(null);
  const hasCancelled = useRef(false);
  useEffect(() => {
    // Back to where the edit began.
    if (!isEditing && hasCancelled.current) edit.current?.focus();
    hasCancelled.current = false;
  }, [isEditing]);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-3" data-turn={turn.id}>
      {isEditing ? (
        <EditQuestion
          question={turn.question}
          canAsk={canAsk}
          onAsk={(question) => {
            setIsEditing(false);
            chat.askAgain(turn.id, question);
          }}
          onCancel={() => {
            hasCancelled.current = true;
            setIsEditing(false);
          }}
        />
      ) : (
        <div className="group flex items-start gap-2">
          <QuestionView question={turn.question} />
          <Button ref={edit} tone="quiet" size="iconSm" aria-label="Edit the question" title="Edit the question, and ask again" disabled={!canAsk} onClick={() => setIsEditing(true)}>
            <Pencil aria-hidden />
          </Button>
        </div>
      )}
      {running !== null ? <RunningView running={running} /> : <AnswerView chat={chat} turn={turn} />}
    </li>
  );
}

function EditQuestion({ question, canAsk, onAsk, onCancel }: { question: string; canAsk: boolean; onAsk: (question: string) => void; onCancel: () => void }) {
  const [text, setText] = useState(question);
  const ask = () => canAsk && text.trim() !== '' && onAsk(text);
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
      aria-label="Edit the question"
      className="grid gap-2 rounded-md border border-edge bg-ground p-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        ask();
      }}
    >
      <QuestionField value={text} onChange={setText} onKeyDown={onKeyDown} label="The question, edited" autoFocus />
      <div className="flex flex-wrap items-center justify-end gap-2">
        <span className="flex-1 px-1.5 text-xs text-dim">What was said after it is dropped.</span>
        <Button size="sm" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" size="sm" tone="primary" disabled={!canAsk || text.trim() === ''}>
          Ask again
        </Button>
      </div>
    </form>
  );
}
