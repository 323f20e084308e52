'use client';

import { DEFAULT_PRICE_PER_CREDIT_NANO_USD, type NanoUsd, parseUsd } from '@/lib/protocol/pricing';
import { useGatewaySettings } from './settings';

/** What this gateway charges for a credit; the list price until it has said so itself. */
export function usePricePerCredit(): NanoUsd {
  const { data } = useGatewaySettings();
  return readPrice(data?.pricePerCreditUsd ?? null) ?? DEFAULT_PRICE_PER_CREDIT_NANO_USD;
}

/** A price as the gateway states it, or null where it is no amount. */
export function readPrice(text: string | null): NanoUsd | null {
  if (text === null) return null;
  try {
    return parseUsd(text);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
