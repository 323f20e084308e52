import { createHash, randomUUID } from 'node:crypto';
import { apiError } from '@/lib/protocol/errors';
import { type VideoQueueRequest, videoQueueSchema } from '@/lib/protocol/video/video-requests';
import type { PaidCall } from '../billing/paid-call';
import type { PaidService } from '../billing/paid-calls';
import { json, type Reply } from '../http/call';
import { refuseMisplacedEncryption } from '../http/encryption-headers';
import { readJson } from '../http/json-body';
import { fieldError } from '../http/validation-error';
import { queueVideo, recordVideoRequest, refundGivenUp } from './video-requests';
import type { Video } from './video';
import { type VideoModel, videoPrice } from './video-model';

/**
 * Maximum size of a request. It leaves room for an escaped prompt of 2,500 characters, an escaped negative prompt, and
 * ignored fields.
 */
export const VIDEO_BODY_BYTES_MAX = 256 * 1024;
const RETRY_AFTER_SECONDS = 15;

/** Checked request for a video. Missing options have the model's defaults. */
interface VideoOrder {
  request: VideoQueueRequest;
  model: VideoModel;
  content: VideoQueueRequest & { duration: string; aspect_ratio: string; resolution: string };
  priceNanoUsd: number;
}

/**
 * Serves videos. The price depends on the video's length, and is charged when the video is queued. The steps are:
 * reserve the price, record the request, commit the charge, start the job. If a step fails, the request is later given
 * up and its charge is refunded.
 */
export function videoService(video: Video): PaidService<VideoOrder> {
  return {
    caps: 'endpoint',
    repetition: {
      keyPrefix: '',
      fingerprint: ({ request }) =>
        createHash('sha256')
          .update(`video/queue ${JSON.stringify(request)}`)
          .digest('hex'),
      replay: async (body, paid) => {
        const balance = paid.caller.wallet === null ? {} : paid.balanceHeader(await paid.spendable());
        return {
          status: 200,
          headers: { 'content-type': 'application/json', 'idempotent-replayed': 'true', ...balance },
          body,
        };
      },
    },
    validate: async (paid) => {
      refuseMisplacedEncryption(paid.call);
      const order = await orderVideo(await readJson(paid, videoQueueSchema, VIDEO_BODY_BYTES_MAX), video);
      paid.call.record.ofModel(order.model);
      return order;
    },
    bought: ({ model }) => ({ endpoint: 'video', name: model.id }),
    price: ({ priceNanoUsd }) => ({ maxNanoUsd: priceNanoUsd, maxCredits: 0 }),
    fulfil: (paid, order) => queue(paid, order, video),
  };
}

/**
 * Checks a request against its model.
 * @throws ApiError 404 if the model is unknown, 400 if the model does not support an option
 */
async function orderVideo(request: VideoQueueRequest, { models }: Pick<Video, 'models'>): Promise<VideoOrder> {
  const model = await models.find(request.model);
  if (!model)
    throw apiError('MODEL_NOT_FOUND', {
      message: `There is no video model ${JSON.stringify(request.model.slice(0, 100))}.`,
    });
  const duration = choose('duration', request.duration, model.durations);
  const aspectRatio = choose('aspect_ratio', request.aspect_ratio, model.aspectRatios);
  const resolution = choose('resolution', request.resolution, model.resolutions);
  return {
    request,
    model,
    content: { ...request, duration, aspect_ratio: aspectRatio, resolution },
    priceNanoUsd: videoPrice(model, duration),
  };
}

function choose(field: string, asked: string | undefined, offered: readonly string[]): string {
  if (asked === undefined) return offered[0] as string;
  if (offered.includes(asked)) return asked;
  throw fieldError(field, `This model offers ${offered.join(', ')}`);
}

async function queue(
  paid: PaidCall,
  { model, content, priceNanoUsd }: VideoOrder,
  { db, config, jobs, now }: Video,
): Promise<Reply> {
  const { requestId } = paid.call;
  const id = randomUUID();
  const request = {
    id,
    account_id: paid.caller.accountId,
    model: model.id,
    upstream: model.upstream.name,
    content: JSON.stringify(content),
    price: priceNanoUsd,
    request_id: requestId,
  };
  const isRecorded = await recordVideoRequest(
    db,
    request,
    { perCaller: config.openRequestsPerCaller, inAll: config.openRequestsMax },
    now(),
  );
  if (!isRecorded) throw apiError('VIDEO_QUEUE_FULL', { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } });
  const queued = { model: model.id, queue_id: id };
  const { remainingNanoUsd } = await paid.settle({
    amountNanoUsd: priceNanoUsd,
    credits: 0,
    units: Number.parseInt(content.duration, 10),
    resource: `video/${model.id}`,
    detail: `${content.duration} of video`,
    replayBody: Buffer.from(JSON.stringify(queued)),
  });
  if (!(await queueVideo(db, id, now()))) {
    await refundGivenUp(db, id, now());
    throw apiError('VIDEO_QUEUE_FULL', {
      message: 'Queueing the video took too long. Nothing was charged.',
      headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
    });
  }
  void jobs.advance(id);
  return json(queued, 200, paid.balanceHeader(remainingNanoUsd));
}
