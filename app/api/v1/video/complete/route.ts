import { nextRoute } from '@/lib/server/http/next-adapter';
import { videoComplete } from '@/lib/server/api/video/complete';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(videoComplete);
