import { nextRoute } from '@/lib/server/http/next-adapter';
import { videoRetrieve } from '@/lib/server/api/video/retrieve';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(videoRetrieve);
