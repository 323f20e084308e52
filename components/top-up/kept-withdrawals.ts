'use client';

import type { StatedWithdrawal } from '@/lib/client';
import { createStoredValue, type StoredValue } from '@/lib/browser/storage/stored-value';
import { sameAddress } from '@/lib/browser/wallet/wallet-store';

/**
 * Signed withdrawal that the gateway has not answered. An attacker who reads the withdrawal gains nothing, because the
 * gateway executes it once and pays only the wallet that signed.
 */
export interface KeptWithdrawal extends StatedWithdrawal {
  signature: string;
}

const KEPT_MAX = 10;

/** Each withdrawal is stored before it is sent, so that a reload does not lose it. */
export const keptWithdrawals: StoredValue<readonly KeptWithdrawal[]> = createStoredValue<readonly KeptWithdrawal[]>({
  key: 'turnpike.withdrawals',
  initial: [],
  parse: parseKeptWithdrawals,
});

export function keepWithdrawal(kept: KeptWithdrawal): void {
  keptWithdrawals.set([kept, ...keptWithdrawals.get()].slice(0, KEPT_MAX));
}

export function dropWithdrawal({ signature }: Pick<KeptWithdrawal, 'signature'>): void {
  keptWithdrawals.set(keptWithdrawals.get().filter((each) => each.signature !== signature));
}

export function withdrawalsKeptFor(wallet: string): readonly KeptWithdrawal[] {
  return keptWithdrawals.get().filter(({ statement }) => sameAddress(statement.to, wallet));
}

export function parseKeptWithdrawals(stored: unknown): readonly KeptWithdrawal[] | null {
  return Array.isArray(stored) ? stored.filter(isKept).slice(0, KEPT_MAX) : null;
}

function isKept(value: unknown): value is KeptWithdrawal {
  if (typeof value !== 'object' || value === null) return false;
  const { family, network, asset, decimals, statement, signature } = value as Record<keyof KeptWithdrawal, unknown>;
  if (typeof statement !== 'object' || statement === null) return false;
  const { gateway, to, amount, fee, nonce, validBefore } = statement as Record<string, unknown>;
  return (
    (family === 'evm' || family === 'solana') &&
    [network, asset, signature, gateway, to, nonce].every((text) => typeof text === 'string' && text.length < 13_000) &&
    [amount, fee, validBefore].every((digits) => typeof digits === 'string' && /^\d{1,30}$/.test(digits)) &&
    Number.isInteger(decimals) &&
    Number(decimals) >= 0 &&
    Number(decimals) <= 9
  );
}
