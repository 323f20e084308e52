import { nextRoute } from '@/lib/server/http/next-adapter';
import { billingBalance } from '@/lib/server/api/billing/balance';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(billingBalance);
