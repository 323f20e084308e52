import { describe, expect, it } from 'vitest';
import { parseJsonDocument } from '@/lib/browser/text/json-document';
import { appendCall, removeCall, replaceParam, toggleBatch } from './request-edits';
import { BATCH_ITEMS_MAX, checkRequest, composeRequest, formatRequest } from './request-text';

describe('what the gateway would refuse is refused here, in a sentence', () => {
  it.each([
    ['', 'The request is empty'],
    ['  \n', 'The request is empty'],
    ['{"method": ', 'This is not JSON yet. Line 1, column 12'],
    ['7', 'must be an object'],
    ['null', 'must be an object'],
    ['{"id": 1}', 'has no "method"'],
    ['{"method": 1}', 'needs a "method" that is a name'],
    ['{"method": ""}', 'needs a "method" that is a name'],
    ['{"method": "a", "params": {}}', 'needs "params" to be an array'],
    ['{"method": "a", "params": null}', 'needs "params" to be an array'],
    ['{"method": "a", "jsonrpc": "1.0"}', 'needs "jsonrpc" to be "2.0"'],
    ['{"method": "a", "jsonrpc": 2.0}', 'needs "jsonrpc" to be "2.0"'],
    ['{"method": "a", "id": {}}', 'needs an "id"'],
    ['{"method": "a", "id": []}', 'needs an "id"'],
    ['{"method": "a", "id": true}', 'needs an "id"'],
    ['{"method": "a", "id": 1.5}', 'needs an "id"'],
    ['{"method": "a", "id": 1e3}', 'needs an "id"'],
    ['[]', 'The batch is empty'],
    ['[{"method": "a"}, 3]', 'Call 2 of the batch must be an object'],
    ['[{"method": "a"}, {"id": 1}]', 'Call 2 of the batch has no "method"'],
    [`[${Array(101).fill('{"method":"a"}').join()}]`, 'The batch has 101 calls; at most 100'],
  ])('%j', (text, sentence) => {
    const check = checkRequest(text);
    expect(check.ok).toBe(false);
    expect(check.ok || check.problem.sentence).toContain(sentence);
  });
});

describe('what the gateway accepts is accepted here', () => {
  it.each(['"a"', '9007199254740993', '-1', '0', 'null', '""'])('the id %s', (id) => {
    expect(checkRequest(`{"method": "eth_chainId", "id": ${id}}`)).toMatchObject({
      ok: true,
      isBatch: false,
      calls: [{ method: 'eth_chainId', params: [] }],
    });
  });

  it('params by name, where the method is one of Starknet', () => {
    expect(checkRequest('{"method": "starknet_getBlockWithTxs", "params": {"block_id": "latest"}}')).toMatchObject({
      ok: true,
      calls: [{ params: [], paramsByName: true }],
    });
  });

  it('no id, no version, no params', () => expect(checkRequest('{"method":"eth_chainId"}').ok).toBe(true));

  it(`a batch of ${BATCH_ITEMS_MAX}, also with one id twice`, () => {
    expect(checkRequest(`[${Array(BATCH_ITEMS_MAX).fill('{"method":"a","id":1}').join()}]`)).toMatchObject({
      ok: true,
      isBatch: true,
    });
  });

  it('of a member written twice, the last counts, as for JSON.parse', () => {
    expect(checkRequest('{"method":"a","method":"b"}')).toMatchObject({ calls: [{ method: 'b' }] });
  });
});

describe('fields edit the text without changing the rest of it', () => {
  const document = parseJsonDocument(
    '{"id": 9007199254740993, "extra": 1.50, "method": "m", "params": ["a", 18446744073709551615, "c"]}',
  );
  const string = (value: string) => ({ kind: 'string', value }) as const;

  it('keeps every digit, and members that it does not know', () => {
    const text = replaceParam(document, 0, string('b'));
    expect(text).toContain('9007199254740993');
    expect(text).toContain('1.50');
    expect(text).toContain('["b", 18446744073709551615, "c"]');
  });

  it('fills a gap with null and drops from an emptied param on', () => {
    expect(replaceParam(parseJsonDocument('{"method":"m"}'), 2, string('z'))).toContain('[null, null, "z"]');
    expect(replaceParam(document, 1, null)).toContain('["a"]');
  });

  it('adds to and takes from a batch, with ids that count on', () => {
    const one = parseJsonDocument(composeRequest('eth_chainId', []));
    const two = parseJsonDocument(appendCall(one, 'eth_call', [{ to: '0x1' }, 'latest']));
    expect(checkRequest(formatRequest(two))).toMatchObject({
      ok: true,
      isBatch: true,
      calls: [{ method: 'eth_chainId' }, { method: 'eth_call' }],
    });
    expect(JSON.parse(formatRequest(two))).toMatchObject([{ id: 1 }, { id: 2 }]);
    expect(JSON.parse(removeCall(two, 0))).toMatchObject([{ method: 'eth_call' }]);
  });

  it('turns a request into a batch of one and back', () => {
    const single = composeRequest('eth_chainId', []);
    expect(toggleBatch(parseJsonDocument(toggleBatch(parseJsonDocument(single))))).toBe(single);
  });
});

describe('layout', () => {
  it('is stable: laying out twice changes nothing', () => {
    for (const text of [
      composeRequest('eth_getLogs', [
        { fromBlock: '0x0', topics: [null, ['0x'.padEnd(66, 'a'), '0x'.padEnd(66, 'b')]] },
      ]),
      '[]',
      '{}',
      '[{"method":"a"}]',
      '3',
    ]) {
      const once = formatRequest(parseJsonDocument(text));
      expect(formatRequest(parseJsonDocument(once))).toBe(once);
      expect(JSON.parse(once)).toEqual(JSON.parse(text));
    }
  });
});
