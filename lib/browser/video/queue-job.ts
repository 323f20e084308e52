'use client';

import { type CallCredential, queueVideo } from '@/lib/client';
import { noteCharge } from '../billing/last-charge';
import { gatewayOptions } from '../gateway';
import { keepError, type KeptError } from '../recovery/kept-error';
import { addVideoJob } from './kept-videos';
import type { UnqueuedVideo } from './unqueued-video';

/**
 * Has the gateway take a video on, once however often it is asked, and puts it into the list.
 * @returns null, or why it was not taken on. Rejects with what is a fault of this page.
 */
export async function queueJob({ idempotencyKey, request, costUsd }: UnqueuedVideo, credential: CallCredential | null): Promise<KeptError | null> {
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
