import type { UpstreamLimits } from '@/lib/client';
import { formatCount } from './amounts';
import { networkHealthWords } from './words/network-health';

const words = networkHealthWords.limits;
const METHODS_SHOWN_MAX = 3;

/** What an upstream was found not to serve, one short phrase each. */
export function limitPhrases({ prunedBelow, rangeBlocksMax, batchItemsMax, missingMethods, outvoted }: UpstreamLimits): string[] {
  const phrases = Object.entries(prunedBelow).map(([data, block]) => words.prunedBelow(data, formatCount(block)));
  if (rangeBlocksMax !== null) phrases.push(words.ranges(formatCount(rangeBlocksMax)));
  if (batchItemsMax !== null) phrases.push(batchItemsMax <= 1 ? words.noBatches : words.batches(formatCount(batchItemsMax)));
  if (missingMethods.length > 0) phrases.push(words.missing(methodsText(missingMethods)));
  if (outvoted > 0) phrases.push(words.outvoted(formatCount(outvoted)));
  return phrases;
}

function methodsText(methods: readonly string[]): string {
  const hidden = methods.length - METHODS_SHOWN_MAX;
  return [...methods.slice(0, METHODS_SHOWN_MAX), ...(hidden > 0 ? [words.more(hidden)] : [])].join(', ');
}
