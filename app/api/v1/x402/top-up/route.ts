import { topUp } from '@/lib/server/api/x402/top-up';
import { nextRoute } from '@/lib/server/http/next-adapter';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(topUp);
