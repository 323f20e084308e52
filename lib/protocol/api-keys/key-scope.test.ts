import fc from 'fast-check';
import { it } from 'vitest';
import { type Bought, isScopeWithin, type KeyScope, outOfScope, SOLD } from './key-scope';

const listOf = <Item>(items: readonly [Item, ...Item[]]) =>
  fc.option(fc.uniqueArray(fc.constantFrom(...items), { minLength: 1 }), { nil: undefined });
const scope = fc.option(
  fc
    .record({ endpoints: listOf(SOLD), networks: listOf(['one', 'two']), models: listOf(['one', 'two']) })
    .map((lists) => Object.fromEntries(Object.entries(lists).filter(([, list]) => list !== undefined)) as KeyScope),
);
const EVERYTHING: readonly Bought[] = SOLD.flatMap((endpoint) =>
  ['one', 'two', 'other'].map((name) => ({ endpoint, name })),
);
const allows = (lists: KeyScope | null, bought: Bought): boolean =>
  lists === null || outOfScope(lists, bought) === null;

it('a scope is within another exactly where that allows all that it allows', () => {
  fc.assert(
    fc.property(
      scope,
      scope,
      (inner, outer) =>
        isScopeWithin(inner, outer) === EVERYTHING.every((bought) => !allows(inner, bought) || allows(outer, bought)),
    ),
    { numRuns: 2_000 },
  );
});
