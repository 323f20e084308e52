import { describe, expect, it } from 'vitest';
import { compareAnswers, placeOf } from './use-comparison';

const answer = (result: unknown, id: unknown = 1) => JSON.stringify({ jsonrpc: '2.0', id, result });
const oddOnes = (fields: ReturnType<typeof compareAnswers>) =>
  fields.map(({ path, cells }) => [path, cells.map(({ isOdd }) => isOdd)]);

describe('answers side by side', () => {
  it('are equal where only the id differs', () => {
    expect(compareAnswers([answer('0x1', 1), answer('0x1', 2)])).toEqual([
      {
        path: 'result',
        differs: false,
        cells: [
          { text: '"0x1"', isOdd: false },
          { text: '"0x1"', isOdd: false },
        ],
      },
    ]);
  });

  it('mark the one that most others contradict', () =>
    expect(oddOnes(compareAnswers([answer('0x1'), answer('0x2'), answer('0x1')]))).toEqual([
      ['result', [false, true, false]],
    ]));

  it('mark all where there is no majority', () =>
    expect(oddOnes(compareAnswers([answer('0x1'), answer('0x2')]))).toEqual([['result', [true, true]]]));

  it('are compared place by place, with a place that one of them lacks', () => {
    const fields = compareAnswers([
      answer({ a: 1, list: [{ b: null }] }),
      answer({ a: 1, list: [] }),
      answer({ a: 1, list: [{ b: null }] }),
    ]);
    expect(oddOnes(fields)).toEqual([
      ['result.a', [false, false, false]],
      ['result.list[0].b', [false, true, false]],
      ['result.list', [false, true, false]],
    ]);
    expect(fields[1]?.cells[1]?.text).toBeNull();
  });

  it('keep numbers beyond 2^53 apart to the last digit', () => {
    const [field] = compareAnswers(['{"id":1,"result":9007199254740993}', '{"id":1,"result":9007199254740992}']);
    expect(field).toMatchObject({ differs: true, cells: [{ text: '9007199254740993' }, { text: '9007199254740992' }] });
  });

  it('set an error against a result, and name the calls of a batch', () => {
    const paths = compareAnswers([
      '[{"id":1,"result":"0x1"},{"id":2,"error":{"code":-32601,"message":"no"}}]',
      '[{"id":1,"result":"0x1"},{"id":2,"result":null}]',
    ]).map(({ path, differs }) => [path, differs]);
    expect(paths).toEqual([
      ['[0].result', false],
      ['[1].error.code', true],
      ['[1].error.message', true],
      ['[1].result', true],
    ]);
  });

  it('never fail on what cannot be read: it is one value', () => {
    expect(compareAnswers(['not json', answer(1)]).map(({ path }) => path)).toEqual(['answer', 'result']);
    expect(compareAnswers(['7', '[]', 'null'])).toHaveLength(1);
    expect(compareAnswers([])).toEqual([]);
  });

  it('end at a depth and a number of fields that a page can show', () => {
    const deep = JSON.stringify({ id: 1, result: Array.from({ length: 20 }).reduce<unknown>((inner) => [inner], 'x') });
    expect(compareAnswers([deep])[0]?.path).toBe(`result${'[0]'.repeat(8)}`);
    expect(
      compareAnswers([answer(Array.from({ length: 9_000 }, (_unused, index) => index))]).length,
    ).toBeLessThanOrEqual(5_000);
  });
});

it.each([
  ['result', { name: 'result', item: 0 }],
  ['result.value', { name: 'value', item: 0 }],
  ['result.accessList[0]', { name: null, item: 0 }],
  ['[2].result', { name: 'result', item: 2 }],
  ['[2].result.transactions[10].value', { name: 'value', item: 2 }],
])('the path %s names a member of an answer', (path, place) => expect(placeOf(path)).toEqual(place));
