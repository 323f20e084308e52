'use client';

import { FailureCard } from '@/components/paying/recovery/failure-card';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '@/components/ui/dialog';
import { Notice } from '@/components/ui/notice';
import { useFocusKept } from '@/components/ui/use-focus-kept';
import type { Credential } from '@/lib/browser/credential/credential';
import { useNow } from '@/lib/browser/page/clock';
import { statusOf } from '@/lib/browser/reads/gateway';
import { saveBlob } from '@/lib/browser/storage/save-file';
import { formatBytes, formatCost } from '@/lib/browser/text/amounts';
import { formatCountdown, formatMoment } from '@/lib/browser/text/moments';
import type { CallCredential, VideoRequest } from '@/lib/client';
import { Download, RotateCcw, ShieldCheck, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { videoCardWords as words } from './card-words';
import { forgetVideoJob } from './kept-videos';
import { useDeleteVideo, useObjectUrl, useVideo, type VideoProgress } from './use-videos';
import type { VideoJob } from './video-jobs';

/** Shows a video's progress, then the video, finally the proof of its deletion. */
export function VideoCard({
  job,
  credential,
  onReuse,
}: {
  job: VideoJob;
  credential: Credential;
  onReuse: (request: VideoRequest) => void;
}) {
  const video = useVideo(job, credential.presented);
  const { request } = job;
  const media = video.data?.status === 'here' ? video.data.media : null;
  const label = shortened(request.prompt);
  // Announces only a video that the user waited for.
  const [wasAwaited] = useState(job.receivedAtMs === null);
  const card = useRef<HTMLElement>(null);
  // Moves focus to the card, because the delete button disappears with the video.
  useFocusKept(String(job.gone === null), () => card.current);
  return (
    <article
      ref={card}
      tabIndex={-1}
      aria-label={label}
      className="flex min-w-0 flex-col gap-3 overflow-hidden rounded-md border border-line p-3 lg:p-4"
    >
      <header className="grid min-w-0 gap-1">
        <p dir="auto" className="line-clamp-3 text-sm font-medium wrap-anywhere">
          {request.prompt}
        </p>
        <p className="flex flex-wrap gap-x-3 text-xs text-dim">
          <span className="figures">{request.model}</span>
          <span className="figures">
            {request.duration}, {request.aspect_ratio}
          </span>
          <time dateTime={new Date(job.queuedAtMs).toISOString()}>{formatMoment(job.queuedAtMs)}</time>
          <span className="figures">{formatCost(job.costUsd)}</span>
        </p>
      </header>
      {video.data?.status === 'processing' && !video.isError && (
        <Progress progress={video.data} askedAtMs={video.dataUpdatedAt} ratio={request.aspect_ratio} />
      )}
      {video.isPending && credential.presented !== null && (
        <Progress progress={null} askedAtMs={0} ratio={request.aspect_ratio} />
      )}
      {video.data?.status !== 'here' && video.failureCount > 0 && !video.isError && (
        <p role="status" className="text-xs text-dim">
          {words.unanswered}
        </p>
      )}
      {media !== null && <Watch media={media} label={label} ratio={request.aspect_ratio} />}
      <span role="status" className="sr-only">
        {wasAwaited && media !== null && words.ready}
      </span>
      {video.isError && <FailureCard isRead error={video.error} onRetry={() => void video.refetch()} />}
      {statusOf(video.error) === 404 && <p className="text-xs text-dim">{words.notOthers}</p>}
      {job.gone !== null && <Gone gone={job.gone} />}
      <footer className="flex flex-wrap items-center gap-2">
        {media !== null && (
          <Button size="sm" onClick={() => saveBlob(`${fileNameOf(request.prompt)}.mp4`, media)}>
            <Download aria-hidden />
            {words.download}
            <span className="figures text-dim">{formatBytes(media.size)}</span>
          </Button>
        )}
        {job.gone === null && media !== null && <DeleteVideo job={job} credential={credential.presented} />}
        <Button size="sm" tone="quiet" onClick={() => onReuse(request)}>
          <RotateCcw aria-hidden />
          {words.reuse}
        </Button>
        {(job.gone !== null || video.isError) && <ForgetButton job={job} hasMedia={media !== null} />}
      </footer>
    </article>
  );
}

/** Progress and video share one frame, so that nothing moves. */
const FRAME = 'max-h-120 w-full shrink-0 overflow-hidden rounded-sm';

const shapeOf = (ratio: string) => ({ aspectRatio: ratio.replace(':', ' / ') });

function Watch({ media, label, ratio }: { media: Blob; label: string; ratio: string }) {
  const url = useObjectUrl(media);
  return (
    <video
      src={url ?? undefined}
      controls
      loop
      playsInline
      preload="auto"
      aria-label={label}
      className={cn(FRAME, 'bg-black')}
      style={shapeOf(ratio)}
    />
  );
}

/** The gateway's estimate of the duration is usable only after this time. */
const ESTIMATED_AFTER_MS = 1_000;

function Progress({
  progress,
  askedAtMs,
  ratio,
}: {
  progress: Extract<VideoProgress, { status: 'processing' }> | null;
  askedAtMs: number;
  ratio: string;
}) {
  const nowMs = useNow(250);
  const elapsedMs = progress === null ? 0 : progress.elapsedMs + Math.max(0, nowMs - askedAtMs);
  const averageMs = Math.max(1, progress?.averageMs ?? 1);
  // The progress bar stops at 97 % until the video arrives.
  const share =
    progress === null || progress.elapsedMs < ESTIMATED_AFTER_MS ? 0 : Math.min(0.97, elapsedMs / averageMs);
  return (
    <div className={cn(FRAME, 'grid min-h-36 grid-rows-[minmax(0,1fr)_auto] bg-surface')} style={shapeOf(ratio)}>
      <p className="grid content-center justify-items-center gap-1 px-4 text-center text-sm text-dim">
        {progress === null ? (
          words.asking
        ) : progress.elapsedMs < ESTIMATED_AFTER_MS ? (
          words.begun
        ) : elapsedMs < averageMs ? (
          <span>
            {words.left[0]}
            <span className="figures block text-3xl font-semibold text-ink">
              {formatCountdown(averageMs - elapsedMs)}
            </span>
            {words.left[1]}
            <span className="figures">{formatCountdown(averageMs)}</span>
            {words.left[2]}
          </span>
        ) : (
          words.overdue
        )}
      </p>
      <div
        role="progressbar"
        aria-label={words.progress}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
        className="h-1.5 bg-hover"
      >
        <div className="h-full bg-rose transition-[width]" style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  );
}

function Gone({ gone }: { gone: NonNullable<VideoJob['gone']> }) {
  return (
    <div role="status" className="flex gap-2.5 rounded-md border border-line bg-surface p-3 text-sm">
      <ShieldCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-good" />
      <div className="grid min-w-0 gap-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {words.deleted}
          <Badge tone="good">{words.deletedStatus(gone.status)}</Badge>
        </p>
        <p className="text-dim">
          {words.proof[0]}
          <time dateTime={new Date(gone.atMs).toISOString()}>{formatMoment(gone.atMs)}</time>
          {words.proof[1]}
          {gone.sentence}
        </p>
        {gone.requestId !== null && (
          <p className="figures text-xs break-all text-faint">{words.request(gone.requestId)}</p>
        )}
      </div>
    </div>
  );
}

const LABEL_CHARACTERS = 100;

/** Shortens a prompt for an accessible name, which screen readers read in full. */
function shortened(prompt: string): string {
  const characters = Array.from(prompt);
  return characters.length > LABEL_CHARACTERS ? `${characters.slice(0, LABEL_CHARACTERS).join('').trimEnd()}…` : prompt;
}

function fileNameOf(prompt: string): string {
  return (
    prompt
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-|-$/g, '')
      .slice(0, 40) || 'video'
  );
}

function ForgetButton({ job, hasMedia }: { job: VideoJob; hasMedia: boolean }) {
  return (
    <Button size="sm" tone="quiet" onClick={() => void forgetVideoJob(job.queueId)}>
      {hasMedia ? words.erase : words.remove}
    </Button>
  );
}

function DeleteVideo({ job, credential }: { job: VideoJob; credential: CallCredential | null }) {
  const [open, setOpen] = useState(false);
  const remove = useDeleteVideo(credential);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button size="sm">
          <Trash2 aria-hidden />
          {words.delete}
        </Button>
      </DialogTrigger>
      <DialogContent title={words.deleteTitle} description={words.deleteHelp}>
        {remove.isError && (
          <Notice tone="bad" title={remove.error.message}>
            {words.deleteFailed}
          </Notice>
        )}
        <div className="flex justify-end gap-2">
          <DialogClose asChild>
            <Button>{words.keep}</Button>
          </DialogClose>
          <Button
            tone="primary"
            disabled={remove.isPending}
            onClick={() => remove.mutate(job, { onSuccess: () => setOpen(false) })}
          >
            {remove.isPending ? words.deleting : words.confirm}
          </Button>
        </div>
      </DialogContent>
    </Dialog>
  );
}
