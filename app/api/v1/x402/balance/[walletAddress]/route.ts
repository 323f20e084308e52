import { walletBalance } from '@/lib/server/api/x402/balance';
import { nextRoute } from '@/lib/server/http/next-adapter';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(walletBalance);
