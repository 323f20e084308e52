'use client';

import { RequestCode } from '@/components/samples/request-code';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { Notice } from '@/components/ui/notice';
import { onDemand } from '@/components/ui/on-demand';
import { SplitPanes } from '@/components/ui/split-panes';
import { useFirstAct } from '@/lib/browser/first-act';
import { usePastRecordings } from '@/lib/browser/speech/past-recordings';
import { speechPageRequests } from '@/lib/browser/speech/speech-page-requests';
import { preloadSpeaking, restoreRefusedRecordings } from '@/lib/browser/speech/speaking';
import { useSpeechModels } from '@/lib/browser/speech/use-speech-models';
import { speechWords } from '@/lib/browser/words/speech';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { SpeechPrices } from './speech-prices';
import { PhoneSpeakBar, SpeakBar } from './speak-bar';
import { preloadStage, Stage } from './stage';
import { TextPane } from './text-pane';
import { type SpeechDesk, useSpeechDesk } from './use-speech-desk';

const { page: words } = speechWords;

const PastRecordings = onDemand(() => import('./past-recordings').then((module) => module.PastRecordings));

export function SpeechPage() {
  const models = useSpeechModels();
  const desk = useSpeechDesk(models.data ?? [], models.isPending);
  useSpeakShortcut(desk.speak);
  useFirstAct(() => {
    preloadSpeaking();
    preloadStage();
  });
  useEffect(() => {
    restoreRefusedRecordings().catch(() => undefined);
  }, []);
  return (
    <>
      <h1 className="sr-only">{words.title}</h1>
      <SpeakBar desk={desk} isLoading={models.isPending} />
      {models.isError && (
        <div className="p-3 lg:p-4">
          <Notice
            tone="bad"
            title={words.modelsFailed}
            actions={
              <Button size="sm" onClick={() => void models.refetch()}>
                {words.tryAgain}
              </Button>
            }
          >
            {models.error.message}
          </Notice>
        </div>
      )}
      {models.data?.length === 0 && (
        <div className="p-3 lg:p-4">
          <Notice tone="warn" title={words.noModels}>
            {words.noModelsHelp}
          </Notice>
        </div>
      )}
      <SplitPanes label={words.paneWidth} first={<TextPane desk={desk} />} second={<HeardPane desk={desk} />} />
      <PhoneSpeakBar desk={desk} isLoading={models.isPending} />
    </>
  );
}

function HeardPane({ desk }: { desk: SpeechDesk }) {
  const { settled, credential, requests } = desk;
  const pane = useRef<HTMLElement>(null);
  const hasPastRecordings = usePastRecordings().length > 0;
  const showsHistory = useOnceTrue(hasPastRecordings);
  useShownPane(pane, desk.recordings[0]?.id);
  return (
    <section
      ref={pane}
      aria-label={words.audio}
      className={cn(
        'grid min-h-0 flex-1 content-start gap-6 p-3 lg:overflow-auto lg:p-4',
        desk.recordings.length > 0 && 'max-lg:min-h-[65dvh]',
      )}
    >
      <Stage desk={desk} />
      {showsHistory ? <PastRecordings /> : desk.recordings.length === 0 && <SpeechPrices models={desk.models} />}
      {settled !== null && <RequestCode requests={speechPageRequests(requests())} credential={credential.presented} />}
    </section>
  );
}

/** Scrolls to a requested recording, because a phone shows it below the text. */
function useShownPane(pane: RefObject<HTMLElement | null>, recordingId: string | undefined): void {
  useEffect(() => {
    if (recordingId !== undefined) pane.current?.scrollIntoView({ block: 'start' });
  }, [pane, recordingId]);
}

/**
 * Returns whether the value has ever been true. The history stays on the page when empty, because it offers to restore
 * erased recordings.
 */
function useOnceTrue(isTrue: boolean): boolean {
  const [was, setWas] = useState(isTrue);
  if (isTrue && !was) setWas(true);
  return was || isTrue;
}

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
