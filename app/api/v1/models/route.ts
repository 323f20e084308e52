import { nextRoute } from '@/lib/server/http/next-adapter';
import { models } from '@/lib/server/api/models';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(models);
