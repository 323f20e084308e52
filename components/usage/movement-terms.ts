import { formatCost } from '@/lib/browser/text/amounts';
import type { PotMovement } from '@/lib/client';

/** Adds withdrawals back to `credited`, because the page shows withdrawals as a separate term. */
export function movementTerms(movement: PotMovement): PotMovement {
  const credited = nanoUsd(movement.credited) + nanoUsd(movement.withdrawn);
  return { ...movement, credited: decimalText(credited) };
}

/** Parses decimal USD as nano-USD. */
export function nanoUsd(usd: string): bigint {
  const [whole = '0', fraction = ''] = usd.replace('-', '').split('.');
  const nano = BigInt(whole + fraction.padEnd(9, '0').slice(0, 9));
  return usd.startsWith('-') ? -nano : nano;
}

/** Formats nano-USD as `formatCost` does. */
export function formatNanoUsd(nano: bigint): string {
  return formatCost(decimalText(nano));
}

function decimalText(nano: bigint): string {
  const digits = String(nano < 0n ? -nano : nano).padStart(10, '0');
  return `${nano < 0n ? '-' : ''}${digits.slice(0, -9)}.${digits.slice(-9)}`;
}
