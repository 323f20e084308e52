'use client';

import { askFaucet } from '@/lib/client';
import { useMutation } from '@tanstack/react-query';
import { gatewayOptions } from './gateway';
import { queryClient } from './query-client';

export function useFaucet() {
  return useMutation({ mutationFn: (address: string) => askFaucet(gatewayOptions(), address) }, queryClient);
}
