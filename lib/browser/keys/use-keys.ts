'use client';

import { type CallCredential, listKeys, type ListedKey, revokeKey } from '@/lib/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { gatewayOptions } from '../gateway';

const KEYS_MAX = 100;

/** The live keys of an account, newest first; asked once there is something to ask with. */
export function useKeys(credential: CallCredential | null) {
  return useQuery({
    queryKey: ['keys', credential],
    enabled: credential !== null,
    queryFn: async ({ signal }): Promise<readonly ListedKey[]> => (await listKeys(gatewayOptions(credential), { signal, limit: KEYS_MAX })).data,
    staleTime: 10_000,
    refetchOnWindowFocus: true,
  });
}

/** Ends a key for good. */
export function useRevokeKey(credential: CallCredential | null) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => revokeKey(gatewayOptions(credential), id),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys'] }),
  });
}
