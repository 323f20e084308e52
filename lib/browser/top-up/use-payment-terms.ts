'use client';

import { useGatewaySettings } from '../settings';
import type { PayRail } from './pay-rails';

/** The specification's minimum, used until the gateway's settings arrive. */
const MINIMUM_USD = 5;
/** Tokens have six decimals, so amounts in USD have at most six. */
const MICRO = 1_000_000;

/** Returns the minimum top-up on a rail, in base units of its token. */
export function usePaymentTerms({ decimals }: PayRail): bigint {
  const { data } = useGatewaySettings();
  const microUsd = BigInt(Math.round((data?.minimumTopUpUsd ?? MINIMUM_USD) * MICRO));
  return (microUsd * 10n ** BigInt(decimals)) / BigInt(MICRO);
}
