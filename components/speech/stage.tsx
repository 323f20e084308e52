'use client';

import { GatewayProblem } from '@/components/rpc/gateway-problem';
import { Skeleton } from '@/components/ui/skeleton';
import type { Take } from '@/lib/browser/speech/takes';
import { TakePlayer } from './take-player';
import type { SpeechDesk } from './use-speech-desk';

/** What was asked for last: a take, or two that are compared. */
export function Stage({ desk }: { desk: SpeechDesk }) {
  const { takes } = desk;
  if (takes.length === 0) {
    return <p className="rounded-md border border-dashed border-edge px-4 py-12 text-center text-sm text-dim">The audio appears here. Press Speak: it plays as soon as the first sentence is there, and each sentence lights up as it is spoken.</p>;
  }
  return (
    <div className="grid gap-4">
      {takes.map((take) => (
        <TakeCard key={take.id} take={take} desk={desk} isCompared={takes.length > 1} />
      ))}
    </div>
  );
}

function TakeCard({ take, desk, isCompared }: { take: Take; desk: SpeechDesk; isCompared: boolean }) {
  const { voice, model } = take.request;
  return (
    <article aria-label={`${voice} of ${model}`} aria-busy={take.status === 'asking' || take.status === 'arriving'} className="grid min-w-0 gap-3 rounded-md border border-line p-3 lg:p-4">
      <header className="flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-1">
        <h2 className="min-w-0 text-base font-semibold wrap-anywhere">{voice}</h2>
        <span className="figures min-w-0 text-xs wrap-anywhere text-faint">{model}</span>
        <span className="flex-1" />
        <StatusWord take={take} />
      </header>
      {take.status === 'failed' && take.error !== null && <GatewayProblem error={take.error} onRetry={(presented) => desk.speakAgain(take, presented)} />}
      {take.status === 'asking' && <Skeleton className="h-24" />}
      {(take.status === 'arriving' || (take.playUrl !== null && !(take.status === 'failed' && take.bytes === 0))) && <TakePlayer take={take} isCompared={isCompared} />}
    </article>
  );
}

function StatusWord({ take }: { take: Take }) {
  const words: Record<Take['status'], string> = { asking: 'waiting for the first sentence', arriving: 'arriving', there: 'complete', stopped: 'stopped; charged is what was spoken', failed: take.bytes > 0 ? 'broke off; what came can be heard' : 'not spoken' };
  return (
    <span role="status" className="text-xs text-dim">
      {words[take.status]}
    </span>
  );
}
