import { measureCallers } from './grown-callers';
import { measureHotCaller } from './grown-hot-caller';
import { measureLists } from './grown-lists';
import { measureIdleNetworks } from './grown-networks';
import { measureSlowCalls } from './grown-slow-calls';
import type { Program } from './programs';

/** Part of the growth bench that measures gateways. */
export const GROWN = 'grown';

export interface GrownRow {
  name: string;
  measured: string;
  /** Measured before the change that the row shows. */
  before: string;
}

export type Track = <T extends Pick<Program, 'stop'>>(program: T) => T;

/** Measures gateways with many networks, models or callers, or with one caller who takes what he can. */
export async function measureGrown(
  measureWith: <T>(measure: (track: Track) => Promise<T>) => Promise<T>,
  progress: (text: string) => void,
): Promise<GrownRow[]> {
  const rows: GrownRow[] = [];
  for (const measure of [measureSlowCalls, measureCallers, measureHotCaller, measureIdleNetworks, measureLists])
    rows.push(...(await measureWith((track) => measure(track, (text) => progress(`${GROWN}, ${text}`)))));
  progress('');
  return rows;
}

export function renderGrown(rows: readonly GrownRow[]): string {
  if (rows.length === 0) return '';
  return [
    'Gateways with much to do',
    ...rows.map(({ name, measured, before }) => `  ${name}: ${measured}; before: ${before}`),
    '',
  ].join('\n');
}
