import { nextRoute } from '@/lib/server/http/next-adapter';
import { openapi } from '@/lib/server/api/openapi';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(openapi);
