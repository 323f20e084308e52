'use client';

import { RequestCode } from '@/components/samples/request-code';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { Notice } from '@/components/ui/notice';
import { SplitPanes } from '@/components/ui/split-panes';
import { speechPageRequests } from '@/lib/browser/speech/speech-page-requests';
import { useSpeechModels } from '@/lib/browser/speech/use-speech-models';
import { type RefObject, useEffect, useRef } from 'react';
import { PastTakes } from './past-takes';
import { PhoneSpeakBar, SpeakBar } from './speak-bar';
import { Stage } from './stage';
import { TextPane } from './text-pane';
import { type SpeechDesk, useSpeechDesk } from './use-speech-desk';

/** The Speech page: the text and its voice on the left, what is heard on the right. */
export function SpeechPage() {
  const models = useSpeechModels();
  const desk = useSpeechDesk(models.data ?? []);
  useSpeakShortcut(desk.speak);
  return (
    <>
      <h1 className="sr-only">Speech</h1>
      <SpeakBar desk={desk} isLoading={models.isPending} />
      {models.isError && (
        <div className="p-3 lg:p-4">
          <Notice tone="bad" title="The models cannot be listed." actions={<Button size="sm" onClick={() => void models.refetch()}>Try again</Button>}>
            {models.error.message}
          </Notice>
        </div>
      )}
      {models.data?.length === 0 && (
        <div className="p-3 lg:p-4">
          <Notice tone="warn" title="This gateway has no model that speaks.">Its operator can connect any OpenAI-compatible speech server with SPEECH_UPSTREAM_URL.</Notice>
        </div>
      )}
      <SplitPanes label="Width of the text" first={<TextPane desk={desk} />} second={<HeardPane desk={desk} />} />
      <PhoneSpeakBar desk={desk} isLoading={models.isPending} />
    </>
  );
}

function HeardPane({ desk }: { desk: SpeechDesk }) {
  const { settled, credential, requests } = desk;
  const pane = useRef<HTMLElement>(null);
  useShownPane(pane, desk.takes[0]?.id);
  return (
    <section ref={pane} aria-label="Audio" className={cn('grid min-h-0 flex-1 content-start gap-6 p-3 lg:overflow-auto lg:p-4', desk.takes.length > 0 && 'max-lg:min-h-[65dvh]')}>
      <Stage desk={desk} />
      <PastTakes />
      {settled !== null && <RequestCode requests={speechPageRequests(requests())} credential={credential.presented} />}
    </section>
  );
}

/** On a phone the audio is below the text: it comes into view when it is asked for, and there is room below to scroll it up. */
function useShownPane(pane: RefObject<HTMLElement | null>, takeId: string | undefined): void {
  useEffect(() => {
    if (takeId !== undefined) pane.current?.scrollIntoView({ block: 'start' });
  }, [pane, takeId]);
}

/** Ctrl Enter or Cmd Enter speaks from anywhere on the page. */
function useSpeakShortcut(speak: () => void): void {
  const latest = useRef(speak);
  useEffect(() => {
    latest.current = speak;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
