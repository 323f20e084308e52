'use client';

import { listRequests, type RequestQuery } from '@/lib/client';
import { usePages } from './use-pages';

/** Returns requests of the credential in use, newest first, page by page. */
export function useRequests(query: RequestQuery) {
  return usePages('requests', query, listRequests);
}
