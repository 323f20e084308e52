'use client';

import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { onSingleClick } from '@/components/ui/single-click';
import { Kbd } from '@/components/ui/kbd';
import type { ChatView } from '@/lib/browser/chat/chat-view';
import type { Chat } from '@/lib/browser/chat/use-chat';
import { Braces, CircleAlert, Lock, LockOpen, SendHorizontal, Square } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { QuestionField } from './question-field';

/** Of the field in which the next question is written. */
export const QUESTION_ID = 'question';

/** Where a question is written. Enter sends it, Shift Enter begins a line, Escape stops an answer. */
export function Composer({ chat, onShow }: { chat: Chat; onShow: (view: ChatView) => void }) {
  const [text, setText] = useState('');
  const { model, obstacle, running } = chat;
  const isReady = obstacle === null && running === null;
  useStopShortcut(chat);
  const send = () => {
    if (!isReady || text.trim() === '') return;
    chat.send(text);
    setText('');
    onShow('talk');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const isEncrypted = model?.can.encrypt === true;
  return (
    <form
      aria-label="Question"
      className="grid shrink-0 gap-1.5 border-t border-line px-3 py-2 lg:px-4 lg:py-3"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div className={cn('flex items-end gap-2 rounded-md border bg-ground p-1.5 focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-amber-ink', isEncrypted ? 'border-violet-line' : 'border-edge')}>
        <QuestionField id={QUESTION_ID} value={text} onChange={setText} onKeyDown={onKeyDown} label="Your question" describedBy="composer-state" placeholder={model === null ? 'Ask…' : `Ask ${model.id}…`} />
        {running === null ? (
          <Button type="submit" tone="primary" disabled={!isReady || text.trim() === ''} aria-keyshortcuts="Enter">
            <SendHorizontal aria-hidden />
            Send
            <Kbd className="hidden lg:inline-flex">⏎</Kbd>
          </Button>
        ) : (
          <Button onClick={onSingleClick(chat.stop)} aria-keyshortcuts="Escape">
            <Square aria-hidden />
            Stop
            <Kbd className="hidden lg:inline-flex">Esc</Kbd>
          </Button>
        )}
      </div>
      <ComposerState chat={chat} />
    </form>
  );
}

/** One line under the field: why nothing can be sent, or who will read it. Its height stays. */
function ComposerState({ chat: { model, obstacle, schema, lock } }: { chat: Chat }) {
  const line = 'flex min-h-5 min-w-0 items-center gap-1.5 text-xs';
  if (obstacle !== null) {
    return (
      <p id="composer-state" className={cn(line, 'text-ink')}>
        <CircleAlert aria-hidden className="size-3.5 shrink-0 text-amber-ink" />
        {obstacle}
      </p>
    );
  }
  const isEncrypted = model?.can.encrypt === true;
  const Icon = isEncrypted ? Lock : LockOpen;
  return (
    <p id="composer-state" className={cn(line, isEncrypted ? 'text-violet' : 'text-dim')}>
      <Icon aria-hidden className="size-3.5 shrink-0" />
      <span className="min-w-0">{readersOf(model, lock)}</span>
      {schema.kind === 'strict' && (
        <span className="ml-auto flex shrink-0 items-center gap-1 text-dim">
          <Braces aria-hidden className="size-3.5" />
          schema on
        </span>
      )}
    </p>
  );
}

function readersOf(model: Chat['model'], lock: Chat['lock']): string {
  const conclusion = lock.kind === 'judged' ? lock.attestation.verdict.conclusion : null;
  if (model?.can.encrypt) {
    if (conclusion === 'simulated') return 'Encrypted in this browser, for a simulated enclave.';
    if (conclusion === 'unknown-workload') return 'Encrypted in this browser, for whatever runs in the enclave.';
    return conclusion === 'verified' ? 'Encrypted in this browser, for the enclave alone.' : 'Sent, encrypted, once the enclave has proved itself.';
  }
  return model?.can.attest ? 'Not encrypted: this gateway and the enclave read it.' : 'Not private: this gateway and the model’s server read it.';
}

/** Escape stops the answer from anywhere on the page, unless something that it closes is open. */
function useStopShortcut({ running, stop }: Chat): void {
  const isRunning = running !== null;
  const latest = useRef(stop);
  useEffect(() => {
    latest.current = stop;
  });
  useEffect(() => {
    if (!isRunning) return;
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && document.querySelector('[role="dialog"]') === null) latest.current();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [isRunning]);
}
