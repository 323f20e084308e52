import { expect, it } from 'vitest';
import { SeededRandom } from '../testing/seeded-random';
import { strongComponents } from './schema-graph';

/** Returns the nodes reachable from each node, including itself. */
function reachableFrom(edges: readonly number[][]): Set<number>[] {
  return edges.map((_, start) => {
    const seen = new Set<number>([start]);
    for (const node of seen) for (const to of edges[node] ?? []) seen.add(to);
    return seen;
  });
}

it('are the nodes that lead to one another, each component after all that it leads to', () => {
  const random = new SeededRandom(7);
  for (let round = 0; round < 500; round++) {
    const size = random.integer(1, 12);
    const edges = Array.from({ length: size }, () =>
      Array.from({ length: random.integer(0, 3) }, () => random.integer(0, size - 1)),
    );
    const reachable = reachableFrom(edges);
    const components = strongComponents(edges);
    expect(components.flat().toSorted((a, b) => a - b)).toEqual(edges.map((_, node) => node));
    components.forEach((component, position) => {
      const later = new Set(components.slice(position + 1).flat());
      for (const node of component) {
        const own = edges.flatMap((_, other) =>
          reachable[node]?.has(other) && reachable[other]?.has(node) ? [other] : [],
        );
        expect(component.toSorted((a, b) => a - b)).toEqual(own);
        for (const to of edges[node] ?? []) expect(later.has(to)).toBe(false);
      }
    });
  }
});

it('are found on a path of a hundred thousand nodes', () => {
  const length = 100_000;
  expect(strongComponents(Array.from({ length }, (_, node) => (node + 1 < length ? [node + 1] : [])))).toHaveLength(
    length,
  );
  expect(strongComponents(Array.from({ length }, (_, node) => [(node + 1) % length]))).toHaveLength(1);
});
