'use client';

import { type CallCredential, revokeKey } from '@/lib/client';
import { useMutation } from '@tanstack/react-query';
import { gatewayOptions } from '../gateway';
import { queryClient } from '../query-client';
import { noteRevoked } from './revoked-keys';
import { useReads } from '../reads/use-read';

export function useRevokeKey(credential: CallCredential | null) {
  const reads = useReads();
  return useMutation(
    {
      mutationFn: (id: string) => revokeKey(gatewayOptions(credential), id),
      onSuccess: (_done, id) => (noteRevoked(id), reads.readAgain(['keys'])),
    },
    queryClient,
  );
}
