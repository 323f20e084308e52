import { describe, expect, it } from 'vitest';
import { collectionFileName, parseCollections, readCollectionFile, writeCollectionFile } from './stored-collections';

const collection = {
  id: 'A',
  name: 'Größe & Co. 🦄',
  requests: [{ id: '1', name: 'Height', network: 'base-mainnet', text: '{"id":9007199254740993}' }],
};
const file = (changes: object) =>
  JSON.stringify({ ...(JSON.parse(writeCollectionFile(collection)) as object), ...changes });

describe('a collection as a file', () => {
  it('comes back as it was, under new ids', () => {
    const read = readCollectionFile(writeCollectionFile(collection));
    expect(read).toMatchObject({
      name: collection.name,
      requests: [{ name: 'Height', network: 'base-mainnet', text: '{"id":9007199254740993}' }],
    });
    expect(writeCollectionFile(collection)).not.toContain('"id": "1"');
  });

  it('has a name that every system takes', () => {
    expect(collectionFileName('Größe & Co. 🦄')).toBe('größe-co.rpc.json');
    expect(collectionFileName('../../🦄')).toBe('collection.rpc.json');
  });

  it.each([
    ['not-json', '{"kind": '],
    ['not-json', ''],
    ['other-file', '[]'],
    ['other-file', 'null'],
    ['other-file', '{"openapi":"3.1.0"}'],
    ['other-file', file({ requests: 'x' })],
    ['newer', file({ version: 2 })],
    ['empty', file({ requests: [] })],
    [
      'empty',
      file({
        requests: [
          null,
          { name: 1 },
          { name: 'a', network: 'b' },
          { name: '', network: '', text: '' },
          { name: 'a', network: 'b', text: 'x'.repeat(400_001) },
        ],
      }),
    ],
    ['too-large', ' '.repeat(4_000_001)],
  ])('is refused: %s', (fault, text) => expect(readCollectionFile(text)).toBe(fault));

  it('keeps what is whole beside what is not', () => {
    expect(readCollectionFile(file({ name: '\u202e', requests: [3, collection.requests[0]] }))).toMatchObject({
      name: 'Imported',
      requests: [{ name: 'Height' }],
    });
  });
});

describe('what this browser has stored', () => {
  it('is read where it is whole', () => {
    expect(parseCollections([collection])).toEqual([collection]);
    expect(
      parseCollections([null, { id: 'x' }, { ...collection, name: '' }, { ...collection, requests: [5] }]),
    ).toEqual([{ ...collection, requests: [] }]);
  });
  it.each([null, {}, 'x'])('is nothing where it is %j', (stored) => expect(parseCollections(stored)).toBeNull());
});
