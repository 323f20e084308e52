'use client';

import { GatewayProblem } from '@/components/rpc/gateway-problem';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Notice } from '@/components/ui/notice';
import { useIsClaimed } from '@/lib/browser/chat/answer-claims';
import { useFailure } from '@/lib/browser/chat/answer-failures';
import { isOfPrivateChat } from '@/lib/browser/chat/failure-advice';
import type { Answer, Turn } from '@/lib/browser/chat/conversation';
import { hasCrossedWire, useExchange } from '@/lib/browser/chat/exchanges';
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
  const exchange = useExchange(turn.id);
  const canAsk = chat.obstacle === null && chat.running === null;
  const retry = () => chat.askAgain(turn.id);
  if (answer === null) return <Unanswered turnId={turn.id} onRetry={retry} canAsk={canAsk} />;
  return (
    <div aria-label="Answer" role="article" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {answer.text !== '' && (answer.schemaFaults === null ? <MarkdownText text={answer.text} /> : <StructuredAnswer text={answer.text} faults={answer.schemaFaults} />)}
      {answer.signature.state === 'attested-after' && (
        <Notice tone="warn" title="Answered by another key than the one attested before; that key was attested after the answer.">
          <p>{answer.signature.sentence} The enclave was started anew, or another one answered in its place: it proves itself now, and had not when you asked. Ask again for an answer by the key that is attested now.</p>
        </Notice>
      )}
      <AnswerEnding turnId={turn.id} answer={answer} canAsk={canAsk} onRetry={retry} />
      <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
        {answer.signature.state !== 'none' && answer.text !== '' && <SignatureMark signature={answer.signature} />}
        <AnswerFacts answer={answer} />
        <span className="ml-auto flex items-center">
          {answer.text !== '' && <CopyButton text={answer.text} label="Copy the answer" iconOnly />}
          {hasCrossedWire(answer, exchange) && (
            <Button tone="quiet" size="sm" title="The bytes that were sent and received for this answer" aria-expanded={showsWire} onClick={() => setShowsWire(!showsWire)}>
              <ScanEye aria-hidden />
              What crossed the wire
            </Button>
          )}
          {answer.problem === null && (
            <Button tone="quiet" size="iconSm" aria-label="Ask again" title="Ask again" disabled={!canAsk} onClick={retry}>
              <RotateCw aria-hidden />
            </Button>
          )}
        </span>
      </div>
      {showsWire && <WireView turnId={turn.id} />}
    </div>
  );
}

/** A page that ended while it waited, or another tab that still waits. */
function Unanswered({ turnId, onRetry, canAsk }: { turnId: string; onRetry: () => void; canAsk: boolean }) {
  const isClaimed = useIsClaimed(turnId);
  if (isClaimed === null) return null;
  if (isClaimed) return <Notice tone="info" title="Another tab of this browser is receiving the answer. It appears here when it is whole." />;
  return (
    <Notice tone="info" title="This question has no answer: the page was left before it came." actions={<Button size="sm" disabled={!canAsk} onClick={onRetry}>Ask again</Button>} />
  );
}

function AnswerEnding({ turnId, answer: { text, end, problem, advice = [] }, canAsk, onRetry }: { turnId: string; answer: Answer; canAsk: boolean; onRetry: () => void }) {
  const failure = useFailure(turnId);
  // An error of the gateway has an action of its own while the page is open. A private chat's says all in words, which are kept.
  if (failure !== null && !isOfPrivateChat(failure)) return <GatewayProblem error={failure} onRetry={onRetry} />;
  if (problem !== null) {
    return (
      <Notice tone="bad" title={problem} actions={<Button size="sm" disabled={!canAsk} onClick={onRetry}><RotateCw aria-hidden />Ask again</Button>}>
        {advice.length > 0 && advice.map((sentence) => <p key={sentence}>{sentence}</p>)}
      </Notice>
    );
  }
  if (end === 'whole' && text === '') return <p className="text-xs text-dim">The model ended its answer without a word.</p>;
  if (end === 'stopped') return <p className="text-xs text-dim">Stopped. What had been sent and produced until then is charged.</p>;
  return end === 'length' ? <p className="text-xs text-dim">Cut off: the longest answer that was allowed ends here.</p> : null;
}
