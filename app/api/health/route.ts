import { nextRoute } from '@/lib/server/http/next-adapter';
import { health } from '@/lib/server/api/health';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(health);
