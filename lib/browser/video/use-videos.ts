'use client';

import { type CallCredential, completeVideo, GatewayError, listVideoModels, proveGone, queueVideo, retrieveVideo, type VideoModel, type VideoRequest } from '@/lib/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { noteCharge } from '../billing/last-charge';
import { gatewayOptions } from '../gateway';
import { addVideoJob, keepVideo, keptVideoOf, noteGone, queuedVideoOf, type VideoJob } from './video-jobs';

const POLL_MS = 1_000;

/** The models of this gateway that make videos. */
export function useVideoModels() {
  return useQuery({ queryKey: ['models', 'video'], queryFn: ({ signal }) => listVideoModels(gatewayOptions(), { signal }) });
}

/** Seconds of a duration such as "5s"; 0 where it is none. */
export function secondsOf(duration: string): number {
  return /^\d+s$/.test(duration) ? Number(duration.slice(0, -1)) : 0;
}

/** What a video costs, decimal text of USD. */
export function videoCostUsd(model: VideoModel, duration: string): string {
  return (model.usdPerSecond * secondsOf(duration)).toFixed(9);
}

/** Queues videos. */
export function useQueueVideo() {
  return useMutation({
    mutationFn: async ({ request, costUsd, credential }: { request: VideoRequest; costUsd: string; credential: CallCredential | null }) => {
      const { queue_id: queueId } = await queueVideo(gatewayOptions(credential), request);
      noteCharge(null);
      addVideoJob({ queueId, request, queuedAtMs: Date.now(), costUsd, receivedAtMs: null, bytes: 0, gone: null });
    },
  });
}

/** How far a video is. */
export type VideoProgress = { status: 'here'; media: Blob } | { status: 'processing'; averageMs: number; elapsedMs: number };

/**
 * A video of this browser: from its own store where it is there, else from the server, asked every second until it
 * is made. An error stays an error: a refusal is not asked for again.
 */
export function useVideo(job: VideoJob, credential: CallCredential | null) {
  return useQuery<VideoProgress>({
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
    refetchInterval: ({ state }) => (state.data?.status === 'processing' && state.status !== 'error' ? POLL_MS : false),
    retry: (failures, error) => failures < 5 && !(error instanceof GatewayError && error.status < 500),
  });
}

/** Deletes a video from the server, and asks for it again: only the 404 to that counts. */
export function useDeleteVideo(credential: CallCredential | null) {
  return useMutation({
    mutationFn: async (job: VideoJob) => {
      const options = gatewayOptions(credential);
      try {
        await completeVideo(options, queuedVideoOf(job));
      } catch (error) {
        // Gone already, as after 24 hours: what follows shows it.
        if (!(error instanceof GatewayError && error.status === 404)) throw error;
      }
      const proof = await proveGone(options, queuedVideoOf(job));
      if (proof === null) throw new Error('The server said that it deleted the video, and still has it. Try again, and tell its operator.');
      noteGone(job.queueId, proof);
    },
  });
}

/** An address for bytes, for as long as the component shows them. */
export function useObjectUrl(bytes: Blob | null): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (bytes === null) return;
    const made = URL.createObjectURL(bytes);
    // eslint-disable-next-line react-hooks/set-state-in-effect -- The address exists only from here to the clean-up.
    setUrl(made);
    return () => {
      URL.revokeObjectURL(made);
      setUrl(null);
    };
  }, [bytes]);
  return url;
}
