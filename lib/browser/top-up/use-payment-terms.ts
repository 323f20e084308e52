'use client';

import { readPaymentOptions } from '@/lib/client';
import { useQuery } from '@tanstack/react-query';
import { gatewayOptions } from '../gateway';
import type { PayRail } from './pay-rails';

/** The specification's minimum, until the gateway has said its own. */
const MINIMUM_USD = 5n;

/** The least that is accepted on a rail, in base units: without an amount, that is what the gateway asks for. */
export function usePaymentTerms(rail: PayRail): bigint {
  const { data } = useQuery({ queryKey: ['payment-terms'], queryFn: ({ signal }) => readPaymentOptions(gatewayOptions(), undefined, { signal }), staleTime: 300_000 });
  const accepted = data?.find(({ network, asset }) => network === rail.network && asset === rail.asset);
  return accepted === undefined ? MINIMUM_USD * 10n ** BigInt(rail.decimals) : BigInt(accepted.amount);
}
