import { videoQueueSchema } from '@/lib/protocol/video/video-requests';
import { balanceHeader, spendableOf, tooLittle } from '../../billing/charge';
import { identify } from '../../auth/identify';
import { limitCaller } from '../../auth/identify-reader';
import { json } from '../../http/call';
import type { Endpoint } from '../../http/endpoint';
import { readJson } from '../../http/read-json';
import { orderVideo, queuePaidVideo } from '../../video/queue-video';
import { videoQueueDocs } from './docs';

/** Of a prompt of 2,500 characters and its negative, however they are escaped, and of fields that are ignored. */
export const VIDEO_BODY_BYTES_MAX = 256 * 1024;

/** POST /video/queue: asks for a video, charged by the second. */
export const videoQueue: Endpoint = {
  path: '/api/v1/video/queue',
  docs: { POST: videoQueueDocs },
  POST: async (call, gateway) => {
    const caller = await identify(call, gateway);
    limitCaller(caller, gateway);
    // A wallet is told what the video costs, for which the request has to be read; and a replay needs no balance.
    if (caller.wallet === null && call.header('idempotency-key') === null) {
      const spendableNanoUsd = await spendableOf(caller, gateway);
      if (spendableNanoUsd <= 0) throw tooLittle(spendableNanoUsd, caller, null, call, gateway);
    }
    const order = await orderVideo(await readJson(call, videoQueueSchema, VIDEO_BODY_BYTES_MAX), gateway);
    const result = await queuePaidVideo(order, caller, call, gateway);
    if (result.outcome === 'replayed') return { status: 200, headers: { 'content-type': 'application/json', 'idempotent-replayed': 'true' }, body: result.body };
    return json(result.queued, 200, balanceHeader(caller, result.remainingNanoUsd));
  },
};
