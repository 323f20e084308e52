import { describe, expect, it } from 'vitest';
import { parseJson } from './json-body';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('the JSON of a body', () => {
  it('is read, in any alphabet', () => {
    expect(parseJson(bytes('{"input": "世界 🦊"}'))).toEqual({ input: '世界 🦊' });
  });

  it('is read behind a byte order mark, unless its bytes are passed on', () => {
    expect(parseJson(bytes('\uFEFF{"a": 1}'))).toEqual({ a: 1 });
    expect(() => parseJson(bytes('\uFEFF{"a": 1}'), { refusesMark: true })).toThrow(
      expect.objectContaining({ code: 'INVALID_JSON' }) as Error,
    );
  });

  it.each([
    ['nothing', bytes(''), 'EMPTY_BODY'],
    ['white space', bytes(' \r\n\t'), 'EMPTY_BODY'],
    ['half a character', bytes('"é"').subarray(0, 2), 'INVALID_ENCODING'],
    ['a surrogate in UTF-8', Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22), 'INVALID_ENCODING'],
    ['half an object', bytes('{"a": 1'), 'INVALID_JSON'],
    ['a comment', bytes('{} // all'), 'INVALID_JSON'],
    ['two values', bytes('{}{}'), 'INVALID_JSON'],
  ])('is refused where it is %s', (_what, body, code) => {
    expect(() => parseJson(body)).toThrow(expect.objectContaining({ code }) as Error);
  });
});
