'use client';

import type { OperatorMargins, ResourceMargins } from '@/lib/protocol/operator-margins';
import { gatewayOptions } from '@/lib/browser/reads/gateway';
import { type ReadResult, useRead } from '@/lib/browser/reads/use-read';
import type { CallCredential } from '@/lib/client/index';

export interface Bounds {
  least: number;
  most: number;
}

export interface MarginSum {
  charges: number;
  units: number;
  incomeNanoUsd: number;
  givenNanoUsd: number;
  costNanoUsd: Bounds | null;
}

export function sumOf(days: readonly MarginSum[]): MarginSum {
  const add = (pick: (day: MarginSum) => number): number => days.reduce((sum, day) => sum + pick(day), 0);
  const isKnown = days.length > 0 && days.every(({ costNanoUsd }) => costNanoUsd !== null);
  return {
    charges: add(({ charges }) => charges),
    units: add(({ units }) => units),
    incomeNanoUsd: add(({ incomeNanoUsd }) => incomeNanoUsd),
    givenNanoUsd: add(({ givenNanoUsd }) => givenNanoUsd),
    costNanoUsd: isKnown
      ? {
          least: add(({ costNanoUsd }) => costNanoUsd?.least ?? 0),
          most: add(({ costNanoUsd }) => costNanoUsd?.most ?? 0),
        }
      : null,
  };
}

export interface ResourceSum extends MarginSum, Pick<ResourceMargins, 'product' | 'name' | 'unit'> {
  id: string;
}

/** Returns the totals per resource, sorted by whether the cost is known, then by income. */
export function sumsByResource(resources: readonly ResourceMargins[]): ResourceSum[] {
  return resources
    .map(({ product, name, unit, days }) => ({ id: `${product}/${name}`, product, name, unit, ...sumOf(days) }))
    .sort(
      (one, other) =>
        Number(other.costNanoUsd !== null) - Number(one.costNanoUsd !== null) ||
        other.incomeNanoUsd - one.incomeNanoUsd ||
        one.id.localeCompare(other.id),
    );
}

export function marginOf({
  incomeNanoUsd,
  costNanoUsd,
}: Pick<MarginSum, 'incomeNanoUsd' | 'costNanoUsd'>): Bounds | null {
  return costNanoUsd && { least: incomeNanoUsd - costNanoUsd.most, most: incomeNanoUsd - costNanoUsd.least };
}

export interface MarginDay extends MarginSum {
  day: string;
}

export function marginDays(resources: readonly ResourceMargins[], days: readonly string[]): MarginDay[] {
  return days.map((day) => {
    const own = resources.flatMap((resource) => resource.days.filter((each) => each.day === day));
    return { day, ...(own.length === 0 ? NOTHING : sumOf(own)) };
  });
}

const NOTHING: MarginSum = {
  charges: 0,
  units: 0,
  incomeNanoUsd: 0,
  givenNanoUsd: 0,
  costNanoUsd: { least: 0, most: 0 },
};

const REFRESH_EVERY_MS = 60_000;

export function useMargins(presented: CallCredential): ReadResult<OperatorMargins | null> {
  return useRead({
    key: ['operator-margins', presented],
    read: async (signal) => {
      const { askOperatorMargins } = await import('@/lib/client/operator-figures');
      return askOperatorMargins(gatewayOptions(presented), { signal });
    },
    staleMs: REFRESH_EVERY_MS / 2,
    everyMs: REFRESH_EVERY_MS,
    onReturn: true,
  });
}
