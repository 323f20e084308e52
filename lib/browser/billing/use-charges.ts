'use client';

import { type ChargeQuery, listCharges } from '@/lib/client';
import { usePages } from './use-pages';

/** Returns charges of the credential in use, newest first, page by page. */
export function useCharges(query: ChargeQuery) {
  return usePages('charges', query, listCharges);
}
