'use client';

import { DEFAULT_PRICE_PER_CREDIT_NANO_USD, type NanoUsd, readUsd } from '@/lib/protocol/pricing';
import { useGatewaySettings } from './settings';

/** Returns this gateway's price of a credit; the list price until the settings arrive. */
export function usePricePerCredit(): NanoUsd {
  const { data } = useGatewaySettings();
  return readPrice(data?.pricePerCreditUsd ?? null) ?? DEFAULT_PRICE_PER_CREDIT_NANO_USD;
}

export function readPrice(text: string | null): NanoUsd | null {
  return text === null ? null : readUsd(text);
}
