import { describe, expect, it } from 'vitest';
import { limitPhrases } from './upstream-table';
import { readNetworkHealth } from '@/lib/client/network-health';

/** Returns the phrases that the console shows for limits as the gateway sends them. */
const said = (limits: unknown): string[] | null => {
  const read = readNetworkHealth({ networks: [{ network: 'a-mainnet', upstreams: [{ limits }] }] })[0]?.upstreams[0]
    ?.limits;
  return read === undefined ? null : limitPhrases(read);
};

describe('what an upstream was found not to serve', () => {
  it('is told in short phrases', () => {
    expect(
      said({
        prunedBelow: { state: 23_000_000, trace: 5 },
        rangeBlocksMax: 10_000,
        batchItemsMax: 1,
        missingMethods: ['trace_block', 'trace_call', 'debug_traceCall', 'eth_getProof', 'eth_getLogs'],
        outvoted: 3,
      }),
    ).toEqual([
      'No state before block 23,000,000',
      'No trace before block 5',
      'Ranges up to 10,000 blocks',
      'No batches',
      'Not served: trace_block, trace_call, debug_traceCall, 2 more',
      'Outvoted 3 times',
    ]);
    expect(said({ batchItemsMax: 20 })).toEqual(['Batches up to 20 calls']);
  });

  it.each([
    ['an older gateway', undefined, null],
    [
      'nothing that was learned',
      { prunedBelow: {}, rangeBlocksMax: null, batchItemsMax: null, missingMethods: [], outvoted: 0 },
      [],
    ],
    [
      'values of another form',
      { prunedBelow: 'all', rangeBlocksMax: 'many', batchItemsMax: -1, missingMethods: [5], outvoted: '3' },
      [],
    ],
  ])('is left out for %s', (_what, limits, expected) => expect(said(limits)).toEqual(expected));
});
