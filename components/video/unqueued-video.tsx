'use client';

import { FailureCard } from '@/components/paying/recovery/failure-card';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import type { Credential } from '@/lib/browser/credential/credential';
import { forgetInterrupted } from '@/components/paying/recovery/interrupted-call';
import { isKeptError, reviveError } from '@/components/paying/recovery/kept-error';
import type { UnqueuedVideo as Waiting } from './queue-job';
import { askAgain, dropUnqueuedVideo, faultOf } from './unqueued-job';
import { unqueuedVideoWords as words } from './card-words';
import { useMemo } from 'react';

const PROMPT_CHARACTERS = 80;

export function UnqueuedVideo({ video, credential }: { video: Waiting; credential: Credential }) {
  // The error object must stay the same across renders.
  const error = useMemo(() => faultOf(video) ?? (isKeptError(video.error) ? reviveError(video.error) : null), [video]);
  const characters = Array.from(video.request.prompt);
  const prompt =
    characters.length > PROMPT_CHARACTERS
      ? `${characters.slice(0, PROMPT_CHARACTERS).join('').trimEnd()}…`
      : video.request.prompt;
  const drop = () => {
    forgetInterrupted('video');
    dropUnqueuedVideo();
  };
  return (
    <div className="grid min-w-0 gap-2">
      <p dir="auto" className="text-sm wrap-anywhere">
        {words.waiting(prompt)}
      </p>
      {error === null ? (
        <Notice
          tone="warn"
          title={words.missed}
          actions={
            <Button
              size="sm"
              tone="primary"
              disabled={credential.kind === 'pending'}
              onClick={() => void askAgain(credential.presented)}
            >
              {words.again}
            </Button>
          }
        >
          {words.missedHelp}
        </Notice>
      ) : (
        <FailureCard
          interrupts="video"
          error={error}
          onRetry={(presented) => void askAgain(presented ?? credential.presented)}
        />
      )}
      <Button size="sm" tone="quiet" className="justify-self-start" onClick={drop}>
        {words.drop}
      </Button>
    </div>
  );
}
