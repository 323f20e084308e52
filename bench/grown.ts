import { measureCallers } from './grown-callers';
import { measureHotCaller } from './grown-hot-caller';
import { measureLists } from './grown-lists';
import { measureIdleNetworks } from './grown-networks';
import { measureSlowCalls } from './grown-slow-calls';
import type { GrownRow, Track } from './grown-row';

export const GROWN = 'grown';

/** Measures gateways with many networks, many models, many callers, or one very busy caller. */
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
