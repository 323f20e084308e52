import { createHash, randomUUID } from 'node:crypto';
import { apiError, requestError } from '@/lib/protocol/errors';
import type { VideoQueued, VideoQueueRequest } from '@/lib/protocol/video/video-requests';
import { notAdmitted, reserveFor } from '../billing/charge';
import type { IdentifiedCaller } from '../auth/identify';
import type { Gateway } from '../gateway';
import type { Call } from '../http/call';
import { fieldError } from '../http/validation-error';
import type { Reservation } from '../billing/meter';
import { queueVideo, recordVideoRequest, refundGivenUp } from '../db/video-requests';
import { type VideoModel, videoPrice } from './video-model';

const RETRY_AFTER_SECONDS = 15;

/** A request for a video that is checked: what its model offers is filled in. */
export interface VideoOrder {
  model: VideoModel;
  content: VideoQueueRequest & { duration: string; aspect_ratio: string; resolution: string };
  priceNanoUsd: number;
}

/** What came of queueing. `replayed`: an earlier request under the same idempotency key was answered so. */
export type QueuedVideo = { outcome: 'queued'; queued: VideoQueued; remainingNanoUsd: number } | { outcome: 'replayed'; body: Uint8Array };

/** Holds a request against what its model offers. @throws ApiError 404 for an unknown model, 400 for what it does not offer. */
export async function orderVideo(request: VideoQueueRequest, { video }: Pick<Gateway, 'video'>): Promise<VideoOrder> {
  const model = await video.models.find(request.model);
  if (!model) throw apiError('MODEL_NOT_FOUND', { message: `There is no video model ${JSON.stringify(request.model.slice(0, 100))}.` });
  const duration = choose('duration', request.duration, model.durations);
  const aspectRatio = choose('aspect_ratio', request.aspect_ratio, model.aspectRatios);
  const resolution = choose('resolution', request.resolution, model.resolutions);
  return { model, content: { ...request, duration, aspect_ratio: aspectRatio, resolution }, priceNanoUsd: videoPrice(model, duration) };
}

function choose(field: string, asked: string | undefined, offered: readonly string[]): string {
  if (asked === undefined) return offered[0] as string;
  if (offered.includes(asked)) return asked;
  throw fieldError(field, `This model offers ${offered.join(', ')}`);
}

/**
 * Charges a request and queues it. The price is held, the request recorded, the charge committed, and then it begins:
 * wherever this ends in between, the request is given up later, and what was charged for it paid back.
 * @throws ApiError 402, 429 or 503, nothing being charged.
 */
export async function queuePaidVideo(order: VideoOrder, caller: IdentifiedCaller, call: Call, gateway: Gateway): Promise<QueuedVideo> {
  const { priceNanoUsd } = order;
  const admission = await reserveFor(caller, { maxNanoUsd: priceNanoUsd, maxCredits: 0, uncapped: true, idempotency: idempotencyOf(call, order), now: gateway.now() }, gateway);
  if (admission.outcome === 'replayed') return admission;
  if (admission.outcome === 'refused') throw notAdmitted(admission.refusal, caller, priceNanoUsd, call, gateway);
  try {
    return await charge(order, admission.reservation, caller, call, gateway);
  } finally {
    await gateway.meter.release(admission.reservation);
  }
}

async function charge({ model, content, priceNanoUsd }: VideoOrder, reservation: Reservation, { accountId }: IdentifiedCaller, call: Call, gateway: Gateway): Promise<QueuedVideo> {
  const { db, meter, video, config, now } = gateway;
  const id = randomUUID();
  const request = { id, account_id: accountId, model: model.id, upstream: model.upstream.name, content: JSON.stringify(content), price: priceNanoUsd, request_id: call.requestId };
  const isRecorded = await recordVideoRequest(db, request, { perCaller: config.video.openRequestsPerCaller, inAll: config.video.openRequestsMax }, now());
  if (!isRecorded) throw apiError('VIDEO_QUEUE_FULL', { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } });
  const queued = { model: model.id, queue_id: id };
  const { remainingNanoUsd } = await meter.settle(reservation, {
    amountNanoUsd: priceNanoUsd,
    credits: 0,
    units: Number.parseInt(content.duration, 10),
    resource: `video/${model.id}`,
    detail: `${content.duration} of video`,
    requestId: call.requestId,
    replayBody: Buffer.from(JSON.stringify(queued)),
  });
  if (!(await queueVideo(db, id, now()))) {
    await refundGivenUp(db, id, now());
    throw apiError('VIDEO_QUEUE_FULL', { message: 'Queueing the video took too long. Nothing was charged.', headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } });
  }
  void video.jobs.advance(id);
  return { outcome: 'queued', queued, remainingNanoUsd };
}

const IDEMPOTENCY_KEY = /^[A-Za-z0-9_-]{1,255}$/;

function idempotencyOf(call: Call, { content }: VideoOrder): { key: string; fingerprint: string } | null {
  const key = call.header('idempotency-key');
  if (key === null) return null;
  if (!IDEMPOTENCY_KEY.test(key)) throw requestError('INVALID_IDEMPOTENCY_KEY');
  return { key, fingerprint: createHash('sha256').update(`video/queue ${JSON.stringify(content)}`).digest('hex') };
}
