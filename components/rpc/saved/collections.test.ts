import { describe, expect, it } from 'vitest';
import {
  type Collections,
  putBack,
  searchCollections,
  takeOut,
  tidyName,
  withCollection,
  withCollectionNamed,
  withEdited,
  withMoved,
  withRequest,
} from './collections';

const request = (name: string) => ({ id: name, name, network: 'base-mainnet', text: `{"method":"eth_${name}"}` });
const two: Collections = [
  { id: 'A', name: 'First', requests: [request('a1'), request('a2'), request('a3')] },
  { id: 'B', name: 'Second', requests: [request('b1')] },
];
const names = (collections: Collections) =>
  collections.map(({ name, requests }) => [name, ...requests.map((each) => each.name)].join(' '));

describe('saved requests', () => {
  it('are put into the collection of a name, which is made where there is none', () => {
    const { name, network, text } = request('c1');
    expect(names(withRequest(two, ' first ', { name, network, text }))).toEqual(['First a1 a2 a3 c1', 'Second b1']);
    expect(names(withRequest(two, 'Third', { name, network, text }))).toEqual([
      'First a1 a2 a3',
      'Second b1',
      'Third c1',
    ]);
  });

  it('are renamed in place, and moved to the end of another collection', () => {
    expect(names(withEdited(two, 'a2', (each) => ({ ...each, name: 'new' })))).toEqual([
      'First a1 new a3',
      'Second b1',
    ]);
    expect(names(withMoved(two, 'a2', 'B'))).toEqual(['First a1 a3', 'Second b1 a2']);
    expect(withMoved(two, 'a2', 'gone')).toBe(two);
    expect(names(withCollectionNamed(two, 'A', 'Other'))[0]).toMatch(/^Other a1/);
  });

  it.each(['a1', 'a2', 'a3', 'b1', 'A', 'B'])('are deleted and brought back where they stood: %s', (id) => {
    const { collections, removed } = takeOut(two, id)!;
    expect(collections).not.toEqual(two);
    expect(putBack(collections, removed)).toEqual(two);
    expect(putBack(two, removed)).toEqual(two);
  });

  it('come back with their collection where that was deleted after them', () => {
    const first = takeOut(two, 'b1')!;
    const second = takeOut(first.collections, 'B')!;
    expect(names(putBack(second.collections, first.removed))).toEqual(['First a1 a2 a3', 'Second b1']);
  });

  it('are found by words of their name, network, text and collection', () => {
    expect(names(searchCollections(two, 'BASE eth_a2'))).toEqual(['First a2']);
    expect(names(searchCollections(two, 'second'))).toEqual(['Second b1']);
    expect(searchCollections(two, ' ')).toBe(two);
    expect(searchCollections(two, 'nothing')).toEqual([]);
  });

  it('of an imported collection get a name of their own', () => {
    const again = withCollection(withCollection(two, { name: 'first', requests: [] }), { name: 'First', requests: [] });
    expect(again.map(({ name }) => name)).toEqual(['First', 'Second', 'first (2)', 'First (3)']);
  });

  it.each([
    ['  two\n words ', 'two words'],
    ['safe\u202etxt', 'safetxt'],
    ['👩‍🚀 مرحبا', '👩‍🚀 مرحبا'],
    ['\u0000\u200b', ''],
    ['x'.repeat(1_000_000), 'x'.repeat(80)],
  ])('have tidy names', (typed, kept) => expect(tidyName(typed)).toBe(kept));
});
