import { nextRoute } from '@/lib/server/http/next-adapter';
import { apiKeys } from '@/lib/server/api/api_keys/keys';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(apiKeys);
