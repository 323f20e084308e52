import { chargesPath, type ChargeQuery, type RequestQuery, requestsPath } from '@/lib/client';
import type { PageRequest } from '../samples/http-request';

export function usageRequests(query: ChargeQuery, requests: RequestQuery): readonly PageRequest[] {
  return [
    {
      name: 'Sum the charges by day, and reconcile them',
      verb: 'GET',
      path: chargesPath({ ...query, groupBy: 'day' }),
    },
    { name: 'Sum the charges by resource', verb: 'GET', path: chargesPath({ ...query, groupBy: 'resource' }) },
    { name: 'Sum the charges by key', verb: 'GET', path: chargesPath({ ...query, groupBy: 'key' }) },
    { name: 'List the charges, newest first', verb: 'GET', path: chargesPath({ ...query, limit: 25 }) },
    {
      name: 'List the requests, refused and failed ones included',
      verb: 'GET',
      path: requestsPath({ ...requests, limit: 25 }),
    },
    { name: 'Read the balance', verb: 'GET', path: '/api/v1/billing/balance' },
  ];
}
