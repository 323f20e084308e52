'use client';

import { type CallCredential, listMovements, type Movement, type MovementPage } from '@/lib/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { gatewayOptions } from '@/lib/browser/reads/gateway';
import { queryClient } from '@/lib/browser/reads/query-client';

export const MOVEMENTS_A_PAGE = 20;
const EXPORT_PAGE = 100;
/** Largest offset to read, because a busy wallet's whole history would take too long. */
const OFFSET_MAX = 10_000;

/** Returns a page of a wallet's prepaid movements, newest first, once the wallet has signed in. */
export function useMovements(address: string, signIn: string | null, page: number) {
  return useQuery(
    {
      queryKey: ['movements', address, signIn, page],
      enabled: signIn !== null,
      queryFn: ({ signal }): Promise<MovementPage> =>
        listMovements(
          optionsOf(signIn),
          address,
          { limit: MOVEMENTS_A_PAGE, offset: page * MOVEMENTS_A_PAGE },
          { signal },
        ),
      placeholderData: keepPreviousData,
      staleTime: 5_000,
    },
    queryClient,
  );
}

/** Reads a wallet's movements for export. `isWhole` is false if older movements are missing. */
export async function collectMovements(
  address: string,
  signIn: string,
): Promise<{ movements: readonly Movement[]; isWhole: boolean }> {
  const byId = new Map<string, Movement>();
  for (let offset = 0; offset <= OFFSET_MAX; offset += EXPORT_PAGE) {
    const { transactions, pagination } = await listMovements(optionsOf(signIn), address, {
      limit: EXPORT_PAGE,
      offset,
    });
    // Keyed by id, because pages overlap after a new movement.
    for (const movement of transactions) byId.set(movement.id, movement);
    if (!pagination.hasMore) return { movements: [...byId.values()], isWhole: true };
  }
  return { movements: [...byId.values()], isWhole: false };
}

function optionsOf(signIn: string | null) {
  const credential: CallCredential | null = signIn === null ? null : { kind: 'signIn', signIn };
  return gatewayOptions(credential);
}
