import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { draftedFiles, draftFiles } from './question-drafts';
import { attachTo } from './use-attached-files';

beforeEach(() => {
  const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
  vi.stubGlobal('window', { localStorage: storage, sessionStorage: storage, addEventListener: () => undefined });
});
afterEach(() => vi.unstubAllGlobals());

const names = () => draftedFiles('new').map(({ name }) => name);

it('two files that are attached at the same time both stay', async () => {
  await Promise.all([attachTo('new', [new File(['a'], 'a.txt')]), attachTo('new', [new File(['b'], 'b.txt')])]);
  expect(names().toSorted()).toEqual(['a.txt', 'b.txt']);
});

it('a file that is still being read does not bring back files that were sent meanwhile', async () => {
  await attachTo('new', [new File(['a'], 'a.txt')]);
  const reading = attachTo('new', [new File(['b'], 'b.txt')]);
  draftFiles('new', []);
  await reading;
  expect(names()).toEqual(['b.txt']);
});
