import { METHODS } from '@/lib/protocol/rpc-methods';
import { expect, it } from 'vitest';
import { kindOfMethod } from './kind-of-method';

it('a name says what kind of chain a method is of, for every method there is', () => {
  expect(METHODS.filter(({ name, kind }) => kindOfMethod(name) !== kind)).toEqual([]);
});
