import type { UpstreamHealth } from '@/lib/client';
import { formatCount } from './amounts';
import { networkHealthWords } from './words/network-health';

const words = networkHealthWords.limits;
const METHODS_SHOWN_MAX = 3;
const CHAIN_DATA = ['state', 'history', 'trace'] as const;

/** Lists an upstream's limits as short phrases. Leaves out unknown limits. */
export function limitPhrases({
  prunedBelow,
  rangeBlocksMax,
  batchItemsMax,
  missingMethods,
  outvoted,
}: NonNullable<UpstreamHealth['limits']>): string[] {
  const phrases = CHAIN_DATA.flatMap((data) => {
    const block = isRecord(prunedBelow) ? prunedBelow[data] : null;
    return isCount(block) ? words.prunedBelow(data, formatCount(block)) : [];
  });
  if (isCount(rangeBlocksMax)) phrases.push(words.ranges(formatCount(rangeBlocksMax)));
  if (isCount(batchItemsMax))
    phrases.push(batchItemsMax <= 1 ? words.noBatches : words.batches(formatCount(batchItemsMax)));
  const methods = Array.isArray(missingMethods) ? missingMethods.filter((method) => typeof method === 'string') : [];
  if (methods.length > 0) phrases.push(words.missing(methodsText(methods)));
  if (isCount(outvoted) && outvoted > 0) phrases.push(words.outvoted(formatCount(outvoted)));
  return phrases;
}

function methodsText(methods: readonly string[]): string {
  const hidden = methods.length - METHODS_SHOWN_MAX;
  return [...methods.slice(0, METHODS_SHOWN_MAX), ...(hidden > 0 ? [words.more(hidden)] : [])].join(', ');
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
