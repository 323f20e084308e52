import { networkHealth } from '@/lib/server/endpoints/crypto/rpc/health';
import { nextRoute } from '@/lib/server/http/next-adapter';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(networkHealth);
