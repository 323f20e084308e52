'use client';

import { useGatewaySettings } from '../settings';
import type { PayRail } from './pay-rails';

/** The specification's minimum, until the gateway has said its own. */
const MINIMUM_USD = 5;
/** Amounts in USD have six decimals at most, as the tokens that are paid with. */
const MICRO = 1_000_000;

/** The least that is accepted on a rail, in base units of its token. */
export function usePaymentTerms({ decimals }: PayRail): bigint {
  const { data } = useGatewaySettings();
  const microUsd = BigInt(Math.round((data?.minimumTopUpUsd ?? MINIMUM_USD) * MICRO));
  return (microUsd * 10n ** BigInt(decimals)) / BigInt(MICRO);
}
