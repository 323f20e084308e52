import { describe, expect, it } from 'vitest';
import { chooseNode } from './choose-node';
import { isPlausible, newestHead } from './known-heads';
import { NodeHeads } from './node-heads';
import { UpstreamNode } from './upstream-node';

const BREAKER = { failuresInRow: 5, openMs: 1_000, openMsMax: 1_000 };

/** Returns an upstream that just reported this head; null for none. */
function nodeAt(height: number | null, state: { isLagging?: boolean; chain?: 'wrong' } = {}): UpstreamNode {
  const heads = new NodeHeads(() => Promise.resolve(null));
  const node = new UpstreamNode('upstream', undefined as never, false, BREAKER, () => undefined, null, heads);
  if (height !== null) heads.told(0, height, 0, 0);
  node.health.isLagging = state.isLagging ?? false;
  node.health.chain = state.chain ?? 'unchecked';
  return node;
}

const newest = (nodes: readonly UpstreamNode[]): number => newestHead(nodes, 0, 'm', 1);

describe('the newest head that is known', () => {
  it('is that of the furthest upstream', () => {
    expect(newest([nodeAt(97), nodeAt(100), nodeAt(null)])).toBe(100);
    expect(newest([nodeAt(null)])).toBe(0);
  });

  it('is none of an upstream that may not be asked', () => {
    const resting = nodeAt(100);
    resting.rest(0);
    expect(newest([resting, nodeAt(97)])).toBe(97);
    expect(newest([nodeAt(100, { chain: 'wrong' }), nodeAt(97)])).toBe(97);
  });

  it('is that of a lagging one only where there is no other', () => {
    expect(newest([nodeAt(100, { isLagging: true }), nodeAt(97)])).toBe(97);
    expect(newest([nodeAt(90, { isLagging: true })])).toBe(90);
  });

  it('is no absurd one', () => {
    expect(newest([nodeAt(2 ** 52), nodeAt(100), nodeAt(97)])).toBe(100);
    expect(newest([nodeAt(2 ** 52), nodeAt(100)])).toBe(0);
    expect(newest([nodeAt(2 ** 52), nodeAt(null)])).toBe(2 ** 52);
  });
});

describe('a height', () => {
  it('counts where another upstream is near it, or none says otherwise', () => {
    const node = nodeAt(null);
    const isPlausibleBeside = (others: UpstreamNode[], height: number): boolean =>
      isPlausible(height, node, [node, ...others], 0, 1);
    expect(isPlausibleBeside([], 5)).toBe(true);
    expect(isPlausibleBeside([nodeAt(100)], 1_100)).toBe(true);
    expect(isPlausibleBeside([nodeAt(100)], 1_101)).toBe(false);
    expect(isPlausibleBeside([nodeAt(100), nodeAt(5_000)], 5_010)).toBe(true);
    expect(isPlausibleBeside([nodeAt(100, { chain: 'wrong' }), nodeAt(3, { isLagging: true })], 9_000)).toBe(true);
  });

  it('is not held against what was told long ago', () => {
    const [node, other] = [nodeAt(null), nodeAt(100)];
    expect([
      isPlausible(9_000, node, [node, other], 0, 30_000),
      isPlausible(9_000, node, [node, other], 0, 30_001),
    ]).toEqual([false, true]);
  });
});

describe('the upstream that is chosen', () => {
  const floor = { commitment: 0, height: 100, heightMax: 1_100, isVerified: false } as const;
  const slow = (node: UpstreamNode): UpstreamNode => {
    node.succeeded(node.begin('m', 0), 500, true);
    return node;
  };
  const quick = (node: UpstreamNode): UpstreamNode => {
    node.succeeded(node.begin('m', 0), 5, true);
    return node;
  };

  it('is one that is far enough, were it slower', () => {
    const nodes = [quick(nodeAt(99)), slow(nodeAt(100))];
    expect(chooseNode(nodes, 'm', 1, [])).toBe(nodes[0]);
    expect(chooseNode(nodes, 'm', 1, [], floor)).toBe(nodes[1]);
  });

  it('is the quickest of those that are', () => {
    const nodes = [slow(nodeAt(101)), quick(nodeAt(100))];
    expect(chooseNode(nodes, 'm', 1, [], floor)).toBe(nodes[1]);
  });

  it('is none that tells an absurd height', () => {
    const nodes = [quick(nodeAt(2 ** 52)), slow(nodeAt(100))];
    expect(chooseNode(nodes, 'm', 1, [], floor)).toBe(nodes[1]);
  });

  it('is the newest where none is', () => {
    const nodes = [quick(nodeAt(97)), slow(nodeAt(98)), quick(nodeAt(null))];
    expect(chooseNode(nodes, 'm', 1, [], floor)).toBe(nodes[1]);
  });

  it('is not a lagging one because it was far once', () => {
    const nodes = [nodeAt(100, { isLagging: true }), nodeAt(97)];
    expect(chooseNode(nodes, 'm', 1, [], floor)).toBe(nodes[1]);
  });
});
