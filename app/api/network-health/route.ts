import { networkHealth } from '@/lib/server/api/crypto/rpc/health';
import { nextRoute } from '@/lib/server/http/next-adapter';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(networkHealth);
