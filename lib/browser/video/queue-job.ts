'use client';

import { type CallCredential, queueVideo, type VideoRequest } from '@/lib/client';
import { noteCharge } from '../billing/last-charge';
import { gatewayOptions } from '../gateway';
import { keepError, type KeptError } from '../recovery/kept-error';
import { addVideoJob } from './kept-videos';

/** A video that was asked for and that the gateway has not taken on yet, as far as this tab knows. It survives a reload. */
export interface UnqueuedVideo {
  /** Under this Idempotency-Key it is asked for, however often: it is made and paid for once. */
  idempotencyKey: string;
  request: VideoRequest;
  /** Decimal text of USD. */
  costUsd: string;
  /** Why it was not taken on, as `kept-error.ts` keeps errors; null while it is asked for, and where the page was left before the answer. */
  error: unknown;
}

/**
 * Has the gateway take a video on, once however often it is asked, and puts it into the list.
 * @returns null, or why it was not taken on. Rejects with what is a fault of this page.
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
