'use client';

import { RequestCode } from '@/components/samples/request-code';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { Notice } from '@/components/ui/notice';
import { SplitPanes } from '@/components/ui/split-panes';
import { useCredential } from '@/lib/browser/credential';
import { useVideoModels } from '@/lib/browser/video/use-videos';
import { useVideoJobs } from '@/lib/browser/video/video-jobs';
import { videoRequests } from '@/lib/browser/video/video-requests';
import type { VideoRequest } from '@/lib/client';
import { useEffect, useRef, useState } from 'react';
import { QueueForm } from './queue-form';
import { VideoCard } from './video-card';

const SAMPLE: VideoRequest = { model: '', prompt: 'A toll gate at dawn', duration: '5s', aspect_ratio: '16:9' };

/** The Video page: what to make on the left, what was made on the right. */
export function VideoPage() {
  const models = useVideoModels();
  const credential = useCredential();
  const jobs = useVideoJobs();
  const [request, setRequest] = useState<VideoRequest | null>(null);
  const videos = useRef<HTMLElement>(null);
  const count = useRef(jobs.length);
  useEffect(() => {
    // On a phone they are below the form: a new one comes into view, with room below to scroll it up.
    if (jobs.length > count.current) videos.current?.scrollIntoView({ block: 'start' });
    count.current = jobs.length;
  }, [jobs.length]);
  const body = request ?? { ...SAMPLE, model: models.data?.[0]?.id ?? '' };
  return (
    <>
      <h1 className="sr-only">Video</h1>
      <SplitPanes
        label="Width of the form"
        first={
          <section aria-label="New video" className="grid min-h-0 flex-1 content-start gap-4 p-3 lg:overflow-auto lg:p-4">
            {models.isError && (
              <Notice tone="bad" title="The models cannot be listed." actions={<Button size="sm" onClick={() => void models.refetch()}>Try again</Button>}>
                {models.error.message}
              </Notice>
            )}
            {models.data?.length === 0 && <Notice tone="warn" title="This gateway makes no videos.">Its operator can connect a provider with VIDEO_UPSTREAM_URL.</Notice>}
            <QueueForm models={models.data ?? null} credential={credential} onEdit={setRequest} />
            <RequestCode
              requests={videoRequests(body, jobs[0] ?? null)}
              credential={credential.presented}
            />
          </section>
        }
        second={
          <section ref={videos} aria-label="Videos" className={cn('grid min-h-0 flex-1 content-start gap-4 p-3 lg:overflow-auto lg:p-4', jobs.length > 0 && 'max-lg:min-h-[65dvh]')}>
            {jobs.length === 0 && <p className="rounded-md border border-dashed border-edge px-4 py-12 text-center text-sm text-dim">Videos appear here. They are kept in this browser, and on the server for 24 hours or until you delete them there.</p>}
            {jobs.map((job) => (
              <VideoCard key={job.queueId} job={job} credential={credential} />
            ))}
          </section>
        }
      />
    </>
  );
}
