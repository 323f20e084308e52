import { parseAndValidateFlightRouterState } from 'next/dist/server/app-render/parse-and-validate-flight-router-state';
import { describe, expect, it } from 'vitest';
import { isRouterState } from './page-request';

const encoded = (value: unknown): string => encodeURIComponent(JSON.stringify(value));
const nested = (depth: number): unknown => (depth === 0 ? ['__PAGE__', {}] : ['x', { children: nested(depth - 1) }]);

function nextTakes(text: string): boolean {
  try {
    parseAndValidateFlightRouterState(text);
    return true;
  } catch {
    return false;
  }
}

describe("the state of Next's router", () => {
  it.each([
    ['of a page', ['', { children: ['rpc', { children: ['__PAGE__', {}, '/rpc', 'refetch'] }] }, null, null, 16]],
    ['with a parameter', ['', { children: [['slug', 'a', 'd', null], { children: ['__PAGE__', {}] }] }]],
    ['with an address', ['', {}, ['/rpc', '?x=1'], 'inside-shared-layout', 1, 'name']],
  ])('%s', (_what, state) => {
    // The tree's URL has another format in each version of Next. This version decides.
    expect(isRouterState(encoded(state))).toBe(nextTakes(encoded(state)));
  });

  it.each([
    '',
    'x',
    '%',
    '%ff',
    '%7B',
    'null',
    '[]',
    '{}',
    '[""]',
    '[[],{}]',
    '["",null]',
    '["",{"a":1}]',
    '["",{},1]',
    '["",{},null,"x"]',
    '["",{},null,null,"x"]',
    '["",{},null,null,1,1]',
    '["",{},null,null,1,"",1]',
    '[["a","b","z",null],{}]',
    '[["a","b","d",[1]],{}]',
    '["",{}],["",{}]',
  ])('is none of %j, for which Next has a 500', (text) => {
    expect(nextTakes(text)).toBe(false);
    expect(isRouterState(text)).toBe(false);
  });

  it('is not deep, nor wide', () => {
    expect(isRouterState(encoded(nested(10)))).toBe(true);
    expect(isRouterState(encoded(nested(40)))).toBe(false);
    expect(isRouterState('['.repeat(8_000))).toBe(false);
    expect(
      isRouterState(
        encoded(['', Object.fromEntries(Array.from({ length: 100 }, (_none, index) => [`c${index}`, ['x', {}]]))]),
      ),
    ).toBe(false);
  });

  it('is never taken by us where Next would fail on it: 20,000 random ones', () => {
    const leaves: unknown[] = [
      '',
      'x',
      null,
      0,
      1.5,
      true,
      'refetch',
      'metadata-only',
      [],
      {},
      ['a', 'b'],
      ['a', 'b', 'd', null],
      ['a', 'b', 'oc', ['c']],
      ['a', 'b', 'ci(..)(..)', null],
    ];
    let seed = 11;
    const draw = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const tree = (depth: number): unknown => {
      if (depth === 0 || draw(5) === 0) return leaves[draw(leaves.length)];
      const children = Object.fromEntries(
        Array.from({ length: draw(3) }, (_none, index) => [`c${index}`, tree(depth - 1)]),
      );
      return [
        leaves[draw(leaves.length)],
        draw(8) === 0 ? leaves[draw(leaves.length)] : children,
        ...Array.from({ length: draw(5) }, () => leaves[draw(leaves.length)]),
      ];
    };
    let taken = 0;
    for (let i = 0; i < 20_000; i++) {
      const text = encoded(tree(3));
      if (!isRouterState(text)) continue;
      taken++;
      expect(nextTakes(text), decodeURIComponent(text)).toBe(true);
    }
    expect(taken).toBeGreaterThan(50);
  });
});
