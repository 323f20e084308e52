import { walletTransactions } from '@/lib/server/api/x402/transactions';
import { nextRoute } from '@/lib/server/http/next-adapter';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(walletTransactions);
