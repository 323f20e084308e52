'use client';

import { type CallCredential, queueVideo, type VideoRequest } from '@/lib/client';
import { noteCharge } from '@/components/billing/last-charge';
import { gatewayOptions } from '@/lib/browser/reads/gateway';
import { keepError, type KeptError } from '@/components/paying/recovery/kept-error';
import { addVideoJob } from './kept-videos';

/** Requested video that the gateway has not accepted yet, as far as this tab knows. Survives a reload. */
export interface UnqueuedVideo {
  /** Every attempt sends this key, so that the gateway makes the video and charges for it only once. */
  idempotencyKey: string;
  request: VideoRequest;
  /** Decimal USD. */
  costUsd: string;
  /**
   * Reason for refusal, as stored by `kept-error.ts`. Null until the gateway answers, or if the page closed before the
   * answer.
   */
  error: unknown;
}

/**
 * Queues a video at the gateway and adds it to the list. Repeated calls queue the video only once.
 * @returns null, or the error. Rejects if `keepError` cannot convert the error.
 */
export async function queueJob(
  { idempotencyKey, request, costUsd }: UnqueuedVideo,
  credential: CallCredential | null,
): Promise<KeptError | null> {
  try {
    const { queue_id: queueId } = await queueVideo(gatewayOptions(credential), request, { idempotencyKey });
    noteCharge(null);
    addVideoJob({ queueId, request, queuedAtMs: Date.now(), costUsd, receivedAtMs: null, bytes: 0, gone: null });
    return null;
  } catch (thrown) {
    const kept = thrown instanceof Error ? keepError(thrown) : null;
    if (kept === null) throw thrown;
    return kept;
  }
}
