'use client';

import { Button } from '@/components/ui/button';
import type { Turn } from '@/lib/browser/chat/conversation';
import type { RunningAnswer } from '@/lib/browser/chat/running-answer';
import type { Chat } from '@/lib/browser/chat/use-chat';
import { Pencil } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { AnswerView } from './answer-view';
import { QuestionField } from './question-field';
import { RunningView } from './running-view';

/** A question, which can be asked differently, and its answer. */
export function TurnView({ chat, turn, running }: { chat: Chat; turn: Turn; running: RunningAnswer | null }) {
  const [isEditing, setIsEditing] = useState(false);
  const canAsk = chat.obstacle === null && chat.running === null;
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
          onCancel={() => setIsEditing(false)}
        />
      ) : (
        <div className="group flex items-start gap-2">
          <div className="min-w-0 flex-1 rounded-md border border-line bg-surface px-3 py-2">
            <h3 className="sr-only">You asked</h3>
            <p className="whitespace-pre-wrap wrap-anywhere">{turn.question}</p>
          </div>
          <Button tone="quiet" size="iconSm" aria-label="Edit the question" title="Edit the question, and ask again" disabled={!canAsk} onClick={() => setIsEditing(true)}>
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
