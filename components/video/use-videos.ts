'use client';

import { type CallCredential, completeVideo, GatewayError, proveGone, retrieveVideo } from '@/lib/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { noteCharge } from '@/components/billing/last-charge';
import { gatewayOptions } from '@/lib/browser/reads/gateway';
import { queryClient } from '@/lib/browser/reads/query-client';
import { videoCardWords } from './card-words';
import { keepVideo, keptVideoOf, noteGone } from './kept-videos';
import { queuedVideoOf, type VideoJob } from './video-jobs';

const POLL_MS = 1_000;
const RETRY_MS_MAX = 8_000;

export type VideoProgress =
  | { status: 'here'; media: Blob }
  | { status: 'processing'; averageMs: number; elapsedMs: number };

/**
 * Returns a video from storage, else from the server, polled every second until ready. Retries while the gateway is
 * down, restarting or overloaded, because generation continues; `failureCount` counts these failures. Any other failure
 * is final.
 */
export function useVideo(job: VideoJob, credential: CallCredential | null) {
  return useQuery<VideoProgress>(
    {
      queryKey: ['video', job.queueId],
      queryFn: async ({ signal }) => {
        const kept = job.receivedAtMs === null ? null : await keptVideoOf(job.queueId);
        if (kept !== null) return { status: 'here', media: kept };
        const found = await retrieveVideo(gatewayOptions(credential), queuedVideoOf(job), { signal });
        if (found.status === 'processing') return found;
        noteCharge(null);
        await keepVideo(job.queueId, found.media);
        return { status: 'here', media: found.media };
      },
      enabled: credential !== null || job.receivedAtMs !== null,
      staleTime: Infinity,
      refetchInterval: ({ state }) =>
        state.data?.status === 'processing' && state.status !== 'error' ? POLL_MS : false,
      retry: (_failures, error) => isPassing(error),
      retryDelay: (failures, error) => Math.max(retryAfterMs(error), Math.min(RETRY_MS_MAX, POLL_MS * 2 ** failures)),
      // Sends requests even while the browser reports no network, because only a request shows whether the gateway can
      // be reached.
      networkMode: 'always',
    },
    queryClient,
  );
}

function isPassing(error: Error): boolean {
  return !(error instanceof GatewayError) || error.status >= 500 || error.status === 429;
}

function retryAfterMs(error: Error): number {
  return error instanceof GatewayError && error.detail.retryAtMs !== null
    ? Math.max(0, error.detail.retryAtMs - Date.now())
    : 0;
}

/** Deletes a video from the server and reads it again, because only a 404 proves the deletion. */
export function useDeleteVideo(credential: CallCredential | null) {
  return useMutation(
    {
      mutationFn: async (job: VideoJob) => {
        const options = gatewayOptions(credential);
        try {
          await completeVideo(options, queuedVideoOf(job));
        } catch (error) {
          // 404: the server has already deleted the video, for example after 24 hours. The next read confirms the
          // deletion.
          if (!(error instanceof GatewayError && error.status === 404)) throw error;
        }
        const proof = await proveGone(options, queuedVideoOf(job));
        if (proof === null) throw new Error(videoCardWords.stillThere);
        noteGone(job.queueId, proof);
      },
    },
    queryClient,
  );
}

export function useObjectUrl(bytes: Blob | null): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (bytes === null) return;
    const made = URL.createObjectURL(bytes);
    // oxlint-disable-next-line hooks/set-state-in-effect -- The address exists only from here to the clean-up.
    setUrl(made);
    return () => {
      URL.revokeObjectURL(made);
      setUrl(null);
    };
  }, [bytes]);
  return url;
}
