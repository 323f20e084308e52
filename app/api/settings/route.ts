import { settings } from '@/lib/server/api/settings';
import { nextRoute } from '@/lib/server/http/next-adapter';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(settings);
