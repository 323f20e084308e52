'use client';

import { type CallCredential, changeKey, type KeyBudget } from '@/lib/client';
import { useMutation } from '@tanstack/react-query';
import { gatewayOptions } from '../gateway';
import { queryClient } from '../query-client';
import { useReads } from '../reads/use-read';

export function useChangeKey(credential: CallCredential | null) {
  const reads = useReads();
  return useMutation(
    {
      mutationFn: ({ id, budget }: { id: string; budget: KeyBudget }) =>
        changeKey(gatewayOptions(credential), id, budget),
      onSuccess: () => reads.readAgain(['keys']),
    },
    queryClient,
  );
}
