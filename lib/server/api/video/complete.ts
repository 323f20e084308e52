import { apiError } from '@/lib/protocol/errors';
import { videoCompleteSchema } from '@/lib/protocol/video/video-requests';
import { identify } from '../../auth/identify';
import { limitCaller } from '../../auth/identify-reader';
import { json } from '../../http/call';
import type { Endpoint } from '../../http/endpoint';
import { readJson } from '../../http/read-json';
import { ownVideo } from '../../video/retrieve-video';
import { videoCompleteDocs } from './docs';
import { VIDEO_BODY_BYTES_MAX } from './queue';

/** POST /video/complete: deletes a stored request with its media. Not charged, and open to callers with an empty balance. */
export const videoComplete: Endpoint = {
  path: '/api/v1/video/complete',
  docs: { POST: videoCompleteDocs },
  POST: async (call, gateway) => {
    const caller = await identify(call, gateway);
    limitCaller(caller, gateway);
    const { id, state } = await ownVideo(await readJson(call, videoCompleteSchema, VIDEO_BODY_BYTES_MAX), caller, gateway);
    if (state === 'QUEUED' || state === 'PROCESSING') throw apiError('VIDEO_NOT_READY');
    if (!(await gateway.video.jobs.remove(id))) throw apiError('VIDEO_NOT_FOUND');
    return json({ success: true });
  },
};
