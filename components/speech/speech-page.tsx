'use client';

import { PriceTable } from '@/components/billing/price-table';
import { RequestCode } from '@/components/samples/request-code';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { EmptyState } from '@/components/ui/empty-state';
import { Notice } from '@/components/ui/notice';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { SplitPanes } from '@/components/ui/split-panes';
import { useFirstAct } from '@/lib/browser/page/first-act';
import { CHARACTERS_PER_MINUTE } from '@/lib/browser/reads/ask-offered-models';
import { formatUsdNumber } from '@/lib/browser/text/amounts';
import type { SpeechModel } from '@/lib/client';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { usePastRecordings } from './kept-recordings';
import { PhoneSpeakBar, SpeakBar } from './speak-bar';
import { preloadSpeaking, restoreRefusedRecordings } from './speaking';
import { TextPane } from './text-pane';
import { type SpeechDesk, speechPageRequests, useSpeechDesk, useSpeechModels } from './use-speech-desk';
import { speechWords } from './words';

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

const RecordingCards = onDemand(() => import('./recording-cards').then((module) => module.RecordingCards), {
  waiting: <Skeleton className="h-48" />,
});

function Stage({ desk }: { desk: SpeechDesk }) {
  if (desk.recordings.length > 0) return <RecordingCards desk={desk} />;
  return (
    <EmptyState drawing="sound" className="py-12">
      {speechWords.empty.help}
    </EmptyState>
  );
}

const preloadStage = RecordingCards.preload;

const { empty: priceWords, bar } = speechWords;

function SpeechPrices({ models }: { models: readonly SpeechModel[] }) {
  const rows = models.map(({ id, name, voices, usdPerMillionCharacters, isOffline }) => ({
    key: id,
    name: isOffline ? (
      <>
        {name} <Badge tone="bad">{bar.offline}</Badge>
      </>
    ) : (
      name
    ),
    figure: voices.length,
    price: formatUsdNumber(Number(((usdPerMillionCharacters * CHARACTERS_PER_MINUTE) / 1_000_000).toFixed(4))),
  }));
  return (
    <PriceTable
      id="speech-prices"
      title={priceWords.prices}
      head={priceWords.priceHead}
      rows={rows}
      note={priceWords.priceHelp(CHARACTERS_PER_MINUTE)}
    />
  );
}
