import { nextRoute } from '@/lib/server/http/next-adapter';
import { videoQueue } from '@/lib/server/api/video/queue';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(videoQueue);
