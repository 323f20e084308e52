'use client';

import { GatewayProblem } from '@/components/rpc/gateway-problem';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Notice } from '@/components/ui/notice';
import { useFailure } from '@/lib/browser/chat/answer-failures';
import type { Answer, Turn } from '@/lib/browser/chat/conversation';
import type { Chat } from '@/lib/browser/chat/use-chat';
import { RotateCw, ScanEye } from 'lucide-react';
import { useState } from 'react';
import { AnswerFacts } from './answer-facts';
import { MarkdownText } from './markdown-text';
import { SignatureMark } from './signature-mark';
import { StructuredAnswer } from './structured-answer';
import { WireView } from './wire-view';

/** An answer with what it took, what vouches for it, and what can be done with it. */
export function AnswerView({ chat, turn }: { chat: Chat; turn: Turn }) {
  const { answer } = turn;
  const [showsWire, setShowsWire] = useState(false);
  const canAsk = chat.obstacle === null && chat.running === null;
  const retry = () => chat.askAgain(turn.id);
  if (answer === null) return <Unanswered onRetry={retry} canAsk={canAsk} />;
  return (
    <div aria-label="Answer" role="article" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {answer.text !== '' && (answer.schemaFaults === null ? <MarkdownText text={answer.text} /> : <StructuredAnswer text={answer.text} faults={answer.schemaFaults} />)}
      <AnswerEnding turnId={turn.id} answer={answer} onRetry={retry} />
      <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
        {answer.signature.state !== 'none' && answer.text !== '' && <SignatureMark signature={answer.signature} />}
        <AnswerFacts answer={answer} />
        <span className="ml-auto flex items-center">
          {answer.text !== '' && <CopyButton text={answer.text} label="Copy the answer" iconOnly />}
          <Button tone="quiet" size="iconSm" aria-label="What crossed the wire" title="What crossed the wire" aria-expanded={showsWire} onClick={() => setShowsWire(!showsWire)}>
            <ScanEye aria-hidden />
          </Button>
          <Button tone="quiet" size="iconSm" aria-label="Ask again" title="Ask again" disabled={!canAsk} onClick={retry}>
            <RotateCw aria-hidden />
          </Button>
        </span>
      </div>
      {showsWire && <WireView turnId={turn.id} />}
    </div>
  );
}

/** A page that was left while it waited. */
function Unanswered({ onRetry, canAsk }: { onRetry: () => void; canAsk: boolean }) {
  return (
    <Notice tone="info" title="This question has no answer: the page was left before it came." actions={<Button size="sm" disabled={!canAsk} onClick={onRetry}>Ask again</Button>} />
  );
}

function AnswerEnding({ turnId, answer: { end, problem }, onRetry }: { turnId: string; answer: Answer; onRetry: () => void }) {
  const failure = useFailure(turnId);
  if (failure !== null && 'hint' in failure && 'code' in failure) {
    const { message, hint, detail } = failure as Error & { hint: unknown; detail?: unknown };
    return (
      <Notice tone="bad" title={message}>
        {typeof detail === 'string' && <p>{detail}</p>}
        <p>{String(hint)}</p>
      </Notice>
    );
  }
  if (failure !== null) return <GatewayProblem error={failure} onRetry={onRetry} />;
  if (problem !== null) return <Notice tone="bad" title={problem} />;
  if (end === 'stopped') return <p className="text-xs text-dim">Stopped. What was produced until then is charged.</p>;
  return end === 'length' ? <p className="text-xs text-dim">Cut off: the longest answer that was allowed ends here.</p> : null;
}
