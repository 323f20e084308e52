import { describe, expect, it } from 'vitest';
import { randomJson } from '../testing/random-json';
import { SeededRandom } from '../testing/seeded-random';
import { readAnswer, readBatchAnswer } from './answer';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array, start: number, end: number) => new TextDecoder().decode(bytes.subarray(start, end));

/** Reads a response and returns its value as text; null if it is invalid. */
function read(text: string) {
  const bytes = bytesOf(text);
  const found = readAnswer(bytes);
  return (
    found && {
      kind: found.kind,
      id: found.id === null ? null : String(found.id),
      value: textOf(bytes, found.valueStart, found.valueEnd),
    }
  );
}

const BIG = 'x'.repeat(70_000);

describe('one response', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":1,"result":"0x1"}', 'result', '1', '"0x1"'],
    ['{"result":null}', 'result', null, 'null'],
    ['{"id":"a","result":false}', 'result', '"a"', 'false'],
    ['{"id":1,"error":null,"result":1}', 'result', '1', '1'],
    ['{"id":1,"result":null,"error":{"code":-32000,"message":"m"}}', 'error', '1', '{"code":-32000,"message":"m"}'],
    ['{"id":1,"error":{"code":1},"result":1}', 'error', '1', '{"code":1}'],
    [' \n{"id" : 9007199254740993 , "result" : [ 1.0, 1e400 ] }\r\n', 'result', '9007199254740993', '[ 1.0, 1e400 ]'],
    ['{"result":{"result":1,"error":{"a":1},"id":5},"id":2}', 'result', '2', '{"result":1,"error":{"a":1},"id":5}'],
    ['{"r\\u0065sult":1,"id":1}', 'result', '1', '1'],
    ['{"result":1,"result":2,"id":1,"id":2}', 'result', '2', '2'],
    ['{"error":{"a":1},"error":null,"result":3}', 'result', null, '3'],
  ])('%s', (text, kind, id, value) => {
    expect(read(text)).toEqual({ kind, id, value });
  });

  it.each([
    '',
    ' ',
    'null',
    '1',
    '"result"',
    '[]',
    '{}',
    '[{"result":1}]',
    '{"id":1}',
    '{"error":null}',
    '{"error":null,"id":1}',
    '{"error":"text","id":1}',
    '{"error":1,"result":1}',
    '{"error":[],"result":1}',
    '{"result":1}x',
    '{"result":1}{"result":2}',
    '{"result":tru}',
    '{"result":01}',
    '{"result":1,}',
    '{"result":"\n"}',
    '<html></html>',
    '{"result":1',
    '{"error":nullx,"result":1}',
  ])('is not found in %j', (text) => {
    expect(read(text)).toBeNull();
  });

  it.each(['{"error":nullx,"result":', '{"error":nul,"result":', '{"error":"null","result":'])(
    '%s… is invalid even if the answer is too large to be parsed',
    (head) => {
      expect(read(`${head}"${BIG}"}`)).toBeNull();
    },
  );

  it('is found in large answers too, with the same verdicts', () => {
    expect(read(`{"id":1,"result":"${BIG}"}`)).toMatchObject({ kind: 'result', id: '1' });
    expect(read(`{"id":1,"error":null,"result":"${BIG}"}`)).toMatchObject({ kind: 'result' });
    expect(read(`{"id":1,"result":"${BIG}","error":{"code":1}}`)).toMatchObject({ kind: 'error', value: '{"code":1}' });
    expect(read(`{"id":1,"result":"${BIG}"`)).toBeNull();
    expect(read(`{"id":1,"result":"${BIG}"}]`)).toBeNull();
  });

  it('may nest as deeply as traces do', () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    expect(read(`{"id":1,"result":${deep}}`)?.value).toBe(deep);
    const deeper = '['.repeat(90_000) + ']'.repeat(90_000);
    expect(read(`{"id":1,"result":${deeper}}`)?.value).toHaveLength(180_000);
    expect(read(`{"id":1,"result":${'['.repeat(200_000)}${']'.repeat(200_000)}}`)).toBeNull();
  });

  it('agrees with JSON.parse on random objects', () => {
    const random = new SeededRandom(21);
    const counts = { result: 0, error: 0, none: 0 };
    for (let i = 0; i < 5_000; i++) {
      const members = Array.from(
        { length: random.integer(0, 4) },
        () =>
          `"${random.pick(['id', 'result', 'error', 'jsonrpc', 'err\\u006fr'])}":${random.pick(['null', '1', '{"code":1}', randomJson(random, 2)])}`,
      );
      const text = `{${members.join(',')}}`;
      const parsed = JSON.parse(text) as { result?: unknown; error?: unknown };
      const found = read(text);
      if (parsed.error !== undefined && parsed.error !== null) {
        const isObject = typeof parsed.error === 'object' && !Array.isArray(parsed.error);
        expect(found?.kind, text).toBe(isObject ? 'error' : undefined);
        if (found) expect(JSON.stringify(JSON.parse(found.value))).toBe(JSON.stringify(parsed.error));
        counts.error++;
      } else if (parsed.result !== undefined) {
        expect(found?.kind, text).toBe('result');
        expect(JSON.stringify(JSON.parse(found?.value as string))).toBe(JSON.stringify(parsed.result));
        counts.result++;
      } else {
        expect(found, text).toBeNull();
        counts.none++;
      }
    }
    expect(Math.min(counts.result, counts.error, counts.none)).toBeGreaterThan(300);
  });
});

describe('an answer that was cut off is never taken as whole', () => {
  it('at any length of a small one', () => {
    const bytes = bytesOf('{"jsonrpc":"2.0","id":1,"result":{"a":["}","\\"",{"b":"]"}],"c":"é"},"error":null}');
    for (let length = 0; length < bytes.length; length++)
      expect(readAnswer(bytes.subarray(0, length)), String(length)).toBeNull();
  });

  it('at any length near the ends of a large one, and anywhere between', () => {
    const bytes = bytesOf(`{"jsonrpc":"2.0","id":1,"result":[${'"\\"}]",'.repeat(12_000)}{}]}`);
    expect(readAnswer(bytes)).not.toBeNull();
    const lengths = [
      ...Array.from({ length: 100 }, (_none, i) => i),
      ...Array.from({ length: 200 }, (_none, i) => 65_436 + i),
      ...Array.from({ length: 60 }, (_none, i) => bytes.length - 1 - i),
    ];
    for (const length of lengths) expect(readAnswer(bytes.subarray(0, length)), String(length)).toBeNull();
  });

  it('at any length of a batch', () => {
    const bytes = bytesOf('[{"id":0,"result":[1]},{"id":1,"error":{"code":1,"message":"]"}}]');
    expect(readBatchAnswer(bytes, 2)).toHaveLength(2);
    for (let length = 0; length < bytes.length; length++)
      expect(readBatchAnswer(bytes.subarray(0, length), 2), String(length)).toBeNull();
  });
});

describe('a batch of responses', () => {
  it('is read in its own order, with spans into the whole', () => {
    const text = ' [ {"id":1,"result":"b"} , {"id":0,"error":{"code":1}} ] ';
    const bytes = bytesOf(text);
    expect(
      readBatchAnswer(bytes, 2)?.map(({ kind, id, valueStart, valueEnd }) => [
        kind,
        id,
        textOf(bytes, valueStart, valueEnd),
      ]),
    ).toEqual([
      ['result', 1, '"b"'],
      ['error', 0, '{"code":1}'],
    ]);
  });

  it('may be shorter than the request, and is invalid if longer', () => {
    expect(readBatchAnswer(bytesOf('[]'), 2)).toEqual([]);
    expect(readBatchAnswer(bytesOf('[{"id":0,"result":1}]'), 2)).toHaveLength(1);
    expect(readBatchAnswer(bytesOf('[{"id":0,"result":1},{"id":1,"result":1},{"id":2,"result":1}]'), 2)).toBeNull();
  });

  it.each([
    '',
    '{}',
    '{"id":0,"result":1}',
    '[1]',
    '[{"id":0}]',
    '[{"id":0,"result":1},]',
    '[{"id":0,"result":1}]x',
    '[{"id":0,"result":1},null]',
    '[[{"id":0,"result":1}]]',
  ])('is not found in %s', (text) => {
    expect(readBatchAnswer(bytesOf(text), 5)).toBeNull();
  });
});

describe('bytes that are no JSON', () => {
  it('up to 64 KiB are never taken for an answer', () => {
    const random = new SeededRandom(22);
    const sound = bytesOf('{"jsonrpc":"2.0","id":1,"result":{"a":[1,2.5,"x\\n",true,null]},"error":null}');
    for (let i = 0; i < 5_000; i++) {
      const bytes = Uint8Array.from(sound);
      bytes[random.integer(0, bytes.length - 1)] = random.integer(0, 255);
      const found = readAnswer(bytes);
      const parsable = isJson(bytes);
      if (!parsable) expect(found).toBeNull();
      if (found) JSON.parse(textOf(bytes, found.valueStart, found.valueEnd));
    }
  });

  it('take time that grows with their size alone', () => {
    const size = 5_000_000;
    for (const text of [
      `{"result":"${'\\\\'.repeat(size / 2)}"}`,
      `{${'"é":0,'.repeat(size / 7)}"result":0}`,
      '['.repeat(size),
      `{"result":[${'"",'.repeat(size / 3)}""]}`,
    ]) {
      const bytes = bytesOf(text);
      const before = performance.now();
      readAnswer(bytes);
      readBatchAnswer(bytes, 100);
      expect(performance.now() - before).toBeLessThan(2_000);
    }
  });
});

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder().decode(bytes));
    return true;
  } catch {
    return false;
  }
}
