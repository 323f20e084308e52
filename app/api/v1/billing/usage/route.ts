import { nextRoute } from '@/lib/server/http/next-adapter';
import { billingUsage } from '@/lib/server/endpoints/billing/usage';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(billingUsage);
