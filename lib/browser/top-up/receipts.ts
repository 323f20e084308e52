'use client';

import { createStoredValue, useStoredValue } from '../stored-value';
import type { PayRail } from './pay-rails';

/** Where a credited payment is on its chain: the API's history does not say. */
export interface KeptReceipt extends Pick<PayRail, 'family' | 'network' | 'rpcNetwork' | 'isStandIn'> {
  paymentId: string;
  transaction: string;
}

const RECEIPTS_MAX = 100;

const receiptStore = createStoredValue<readonly KeptReceipt[]>({ key: 'turnpike.receipts', initial: [], parse: parseReceipts });

/** The receipts of payments that this browser made, newest first. */
export function useReceipts(): readonly KeptReceipt[] {
  return useStoredValue(receiptStore);
}

export function keepReceipt(receipt: KeptReceipt): void {
  receiptStore.set([receipt, ...receiptStore.get().filter(({ paymentId }) => paymentId !== receipt.paymentId)].slice(0, RECEIPTS_MAX));
}

/** Takes what is whole. */
export function parseReceipts(stored: unknown): readonly KeptReceipt[] | null {
  return Array.isArray(stored) ? stored.filter(isReceipt).slice(0, RECEIPTS_MAX) : null;
}

function isReceipt(value: unknown): value is KeptReceipt {
  if (typeof value !== 'object' || value === null) return false;
  const { paymentId, transaction, family, network, rpcNetwork, isStandIn } = value as Record<keyof KeptReceipt, unknown>;
  return [paymentId, network, rpcNetwork].every((text) => typeof text === 'string') && typeof transaction === 'string' && /^[0-9A-Za-z]+$/.test(transaction) && (family === 'evm' || family === 'solana') && typeof isStandIn === 'boolean';
}
