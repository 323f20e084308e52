import { apiError } from '@/lib/protocol/errors';
import { videoRetrieveSchema } from '@/lib/protocol/video/video-requests';
import { identify } from '../../auth/identify';
import { limitCaller } from '../../auth/identify-reader';
import { json } from '../../http/call';
import type { Endpoint } from '../../http/endpoint';
import { readJson } from '../../http/read-json';
import { MediaBody } from '../../video/media-body';
import { mediaOf, ownVideo, progressOf } from '../../video/retrieve-video';
import { videoRetrieveDocs } from './docs';
import { VIDEO_BODY_BYTES_MAX } from './queue';

/** POST /video/retrieve: the video, or how far it is. Not charged, and open to callers with an empty balance. */
export const videoRetrieve: Endpoint = {
  path: '/api/v1/video/retrieve',
  docs: { POST: videoRetrieveDocs },
  POST: async (call, gateway) => {
    const caller = await identify(call, gateway);
    limitCaller(caller, gateway);
    const asked = await readJson(call, videoRetrieveSchema, VIDEO_BODY_BYTES_MAX);
    const request = await ownVideo(asked, caller, gateway);
    if (request.state === 'FAILED') throw apiError('VIDEO_FAILED', { message: `The video could not be made, and nothing was charged for it. ${sentence(request.error)}`.trim() });
    if (request.state !== 'COMPLETED') return json(await progressOf(request, gateway));
    const media = await mediaOf(request, gateway);
    const whenSent = (): void => {
      if (!asked.delete_media_on_completion) return;
      gateway.video.jobs.remove(request.id).catch((error: unknown) => gateway.log.warn({ err: error, videoId: request.id }, 'a retrieved video could not be deleted yet'));
    };
    return { status: 200, headers: { 'content-type': 'video/mp4', 'content-length': String(media.bytes) }, body: new MediaBody(media, whenSent) };
  },
};

/** On one line, and with an end. */
function sentence(text: string | null): string {
  const said = (text ?? '').replace(/\s+/g, ' ').trim();
  return said === '' || /[.!?]$/.test(said) ? said : `${said}.`;
}
