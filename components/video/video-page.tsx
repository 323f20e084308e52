'use client';

import { type PriceRow, PriceTable } from '@/components/billing/price-table';
import { RequestCode } from '@/components/samples/request-code';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { EmptyState } from '@/components/ui/empty-state';
import { Notice } from '@/components/ui/notice';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { SplitPanes } from '@/components/ui/split-panes';
import { useCredential } from '@/lib/browser/credential/credential';
import { useFirstAct } from '@/lib/browser/page/first-act';
import { formatCost } from '@/lib/browser/text/amounts';
import type { VideoModel, VideoRequest } from '@/lib/client';
import { Undo2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { QueueForm } from './queue-form';
import { preloadAsking } from './unqueued-job';
import { useVideoJobs } from './video-jobs';
import { lengthsInOrder, useVideoDraft, useVideoModels, videoCostUsd, videoRequests } from './video-models';
import { videoWords } from './words';

const VideoCard = onDemand(() => import('./video-card').then((module) => module.VideoCard), {
  waiting: <Skeleton className="h-56" />,
});

const { page: words, empty } = videoWords;

const SAMPLE: VideoRequest = { model: '', prompt: words.samplePrompt, duration: '5s', aspect_ratio: '16:9' };

export function VideoPage() {
  const models = useVideoModels();
  const credential = useCredential();
  const jobs = useVideoJobs();
  const [request, setRequest] = useState<VideoRequest | null>(null);
  const videos = useRef<HTMLElement>(null);
  const prompt = useRef<HTMLTextAreaElement>(null);
  const { fields, edit } = useVideoDraft();
  const [replaced, setReplaced] = useState<typeof fields | null>(null);
  useFirstAct(() => {
    preloadAsking();
    VideoCard.preload();
  });
  const count = useRef(jobs.length);
  useEffect(() => {
    // Scrolls a new video into view, because a phone shows the videos below the form.
    if (jobs.length > count.current) videos.current?.scrollIntoView({ block: 'start' });
    count.current = jobs.length;
  }, [jobs.length]);
  const reuse = (used: VideoRequest) => {
    setReplaced(fields.prompt.trim() === '' || fields.prompt === used.prompt ? null : fields);
    edit({ model: used.model, prompt: used.prompt, duration: used.duration, aspectRatio: used.aspect_ratio });
    setRequest(used);
    prompt.current?.focus();
  };
  const body = request ?? { ...SAMPLE, model: models.data?.[0]?.id ?? '' };
  return (
    <>
      <h1 className="sr-only">{words.title}</h1>
      <SplitPanes
        label={words.paneWidth}
        first={
          <section
            aria-label={words.newVideo}
            className="grid min-h-0 flex-1 content-start gap-4 p-3 lg:overflow-auto lg:p-4"
          >
            {models.isError && (
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
            )}
            {models.data?.length === 0 && (
              <Notice tone="warn" title={words.noModels}>
                {words.noModelsHelp}
              </Notice>
            )}
            {replaced !== null && (
              <div role="status" className="flex flex-wrap items-center gap-2 text-xs text-dim">
                {words.replaced}
                <Button
                  size="sm"
                  onClick={() => {
                    edit(replaced);
                    setReplaced(null);
                    prompt.current?.focus();
                  }}
                >
                  <Undo2 aria-hidden />
                  {words.bringBack}
                </Button>
              </div>
            )}
            <QueueForm
              models={models.data ?? null}
              hasFailed={models.isError}
              credential={credential}
              onEdit={setRequest}
              prompt={prompt}
            />
            <RequestCode requests={videoRequests(body, jobs[0] ?? null)} credential={credential.presented} />
          </section>
        }
        second={
          <section
            ref={videos}
            aria-label={words.videos}
            className={cn(
              'grid min-h-0 flex-1 auto-rows-max content-start gap-4 p-3 lg:overflow-auto lg:p-4',
              jobs.length > 0 && 'max-lg:min-h-[65dvh]',
            )}
          >
            {jobs.length === 0 && (
              <EmptyState drawing="film" className="py-12">
                {empty.help}
              </EmptyState>
            )}
            {jobs.length === 0 && <VideoPrices models={models.data ?? []} />}
            {jobs.map((job) => (
              <VideoCard key={job.queueId} job={job} credential={credential} onReuse={reuse} />
            ))}
          </section>
        }
      />
    </>
  );
}

const { empty: priceWords, form } = videoWords;

function VideoPrices({ models }: { models: readonly VideoModel[] }) {
  return (
    <PriceTable
      id="video-prices"
      title={priceWords.prices}
      head={priceWords.priceHead}
      rows={models.flatMap(rowsOf)}
      note={priceWords.priceHelp}
    />
  );
}

function rowsOf(model: VideoModel): PriceRow[] {
  return lengthsInOrder(model.durations).map((duration, index) => ({
    key: `${model.id} ${duration}`,
    name: model.name,
    isNameRepeated: index > 0,
    figure: form.seconds(duration),
    price: formatCost(videoCostUsd(model, duration)),
  }));
}
