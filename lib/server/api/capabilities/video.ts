import type { Database } from '../../db/schema';
import { Video } from '../../video/video';
import { videoComplete } from '../video/complete';
import { videoQueue } from '../video/queue';
import { videoRetrieve } from '../video/retrieve';
import type { Capability } from './capability';
import type { Ground } from './ground';

/** Sells video, and resumes requests that an earlier process left unfinished. */
export async function openVideo({ config, log, now }: Ground, { db }: { db: Database }) {
  const video = await Video.open(config, { db, log, now });
  return {
    video,
    endpoints: ({ auth, paidCalls }) => [
      videoQueue({ paidCalls, video }),
      videoRetrieve({ auth, video }),
      videoComplete({ auth, video }),
    ],
    close: () => video.close(),
  } satisfies Capability & { video: Video };
}
