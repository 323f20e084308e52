import { describe, expect, it } from 'vitest';
import { FAMILIES } from './families';
import { FAMILY_FACTS, factsOf } from './family-facts';

describe('the families of reports', () => {
  it('have an adapter each, and facts each', () => {
    expect(FAMILIES.map(({ family }) => family).sort()).toEqual(Object.keys(FAMILY_FACTS).sort());
  });

  it('that are not known have no facts, whatever they are called', () => {
    expect([null, 'another', 'toString', '__proto__'].map(factsOf)).toEqual([null, null, null, null]);
  });
});
