import { expect, it } from 'vitest';
import { faultsOf } from './error-tree';

it('lists the messages of a tree of errors with their paths', () => {
  const tree = { _errors: ['whole'], a: { _errors: [], b: { _errors: ['one', 'two'] } }, c: { _errors: ['three'] } };
  expect(faultsOf(tree)).toEqual([
    { path: '', message: 'whole' },
    { path: 'a.b', message: 'one' },
    { path: 'a.b', message: 'two' },
    { path: 'c', message: 'three' },
  ]);
});

it('skips details that are no messages, such as plain texts', () => {
  const details = { _errors: ['whole'], invalidReason: 'too_old', none: null, count: 3, list: ['a'] };
  expect(faultsOf(details as never)).toEqual([{ path: '', message: 'whole' }]);
});
