import { describe, expect, it } from 'vitest';
import { limitPhrases } from './upstream-limits';
import { readNetworkHealth } from '@/lib/client/network-health';

/** As the gateway tells them, and as the console says them. */
const told = (more: object) => readNetworkHealth({ networks: [{ network: 'a-mainnet', upstreams: [more] }] })[0]?.upstreams[0]?.limits;

describe('what an upstream was found not to serve', () => {
  it('is told in short phrases', () => {
    const limits = told({ prunedBelow: { state: 23_000_000, trace: 5 }, rangeBlocksMax: 10_000, batchItemsMax: 1, missingMethods: ['trace_block', 'trace_call', 'debug_traceCall', 'eth_getProof', 'eth_getLogs'], outvoted: 3 });
    expect(limits && limitPhrases(limits)).toEqual(['No state before block 23,000,000', 'No trace before block 5', 'Ranges up to 10,000 blocks', 'No batches', 'Not served: trace_block, trace_call, debug_traceCall, 2 more', 'Outvoted 3 times']);
    const batches = told({ batchItemsMax: 20 });
    expect(batches && limitPhrases(batches)).toEqual(['Batches up to 20 calls']);
  });

  it.each([
    ['an older gateway', {}],
    ['nothing that was learned', { prunedBelow: {}, rangeBlocksMax: null, batchItemsMax: null, missingMethods: [], outvoted: 0 }],
    ['values of another form', { prunedBelow: 'all', rangeBlocksMax: 'many', batchItemsMax: -1, missingMethods: [5], outvoted: '3' }],
  ])('is left out for %s', (_what, more) => expect(told(more)).toBeUndefined());
});
