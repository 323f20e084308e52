import fc from 'fast-check';
import { it } from 'vitest';
import {
  type Bought,
  isAsPrivate,
  isScopeWithin,
  type KeyScope,
  outOfScope,
  type Privacy,
  PRIVACY_LEVELS,
  SOLD,
} from './key-scope';

const listOf = <Item>(items: readonly [Item, ...Item[]]) =>
  fc.option(fc.uniqueArray(fc.constantFrom(...items), { minLength: 1 }), { nil: undefined });
const scope = fc.option(
  fc
    .record({
      endpoints: listOf(SOLD),
      networks: listOf(['one', 'two']),
      models: listOf(['one', 'two']),
      privacy: fc.option(fc.constantFrom(...PRIVACY_LEVELS), { nil: undefined }),
    })
    .map((lists) => Object.fromEntries(Object.entries(lists).filter(([, list]) => list !== undefined)) as KeyScope),
);
const EVERYTHING: readonly (Bought & { privacy: Privacy | null })[] = SOLD.flatMap((endpoint) =>
  ['one', 'two', 'other'].flatMap((name) => [null, ...PRIVACY_LEVELS].map((privacy) => ({ endpoint, name, privacy }))),
);
const allows = (lists: KeyScope | null, bought: (typeof EVERYTHING)[number]): boolean =>
  lists === null ||
  (outOfScope(lists, bought) === null &&
    (bought.endpoint === 'rpc' || isAsPrivate(bought.privacy, lists.privacy ?? null)));

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
