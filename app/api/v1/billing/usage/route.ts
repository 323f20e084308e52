import { nextRoute } from '@/lib/server/http/next-adapter';
import { billingUsage } from '@/lib/server/api/billing/usage';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(billingUsage);
