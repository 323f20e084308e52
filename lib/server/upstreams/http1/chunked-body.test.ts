import { describe, expect, it } from 'vitest';
import { ChunkedBody, MALFORMED_CHUNK } from './chunked-body';

function read(text: string, pieceBytes = text.length) {
  const body = new ChunkedBody();
  const bytes = Buffer.from(text, 'latin1');
  let data = '';
  let at = 0;
  while (at < bytes.length && !body.isComplete) {
    const end = Math.min(bytes.length, at + pieceBytes);
    const next = body.read(bytes, at, end, (chunk, from, until) => {
      data += chunk.toString('latin1', from, until);
      return true;
    });
    if (next === MALFORMED_CHUNK) return { data, at: next, isComplete: false };
    at = next;
  }
  return { data, at, isComplete: body.isComplete };
}

describe('a body in chunks', () => {
  const text = '5\r\nhello\r\n1;name="x"\r\n,\r\n00a\r\n0123456789\r\n0\r\nTrailer: y\r\n\r\n';

  it('is put together, and ends where it says, whatever pieces it comes in', () => {
    for (let pieceBytes = 1; pieceBytes <= text.length; pieceBytes++) {
      expect(read(`${text}HTTP/1.1`, pieceBytes)).toEqual({
        data: 'hello,0123456789',
        at: text.length,
        isComplete: true,
      });
    }
  });

  it('is incomplete until its last byte', () => {
    for (let length = 0; length < text.length; length++) expect(read(text.slice(0, length)).isComplete).toBe(false);
  });

  it.each([
    '\r\n',
    'x\r\n',
    '-1\r\n',
    '5\nhello',
    '5\r\nhelloX\r\n',
    '5\r\nhello\r\r',
    '0\r\n\n',
    '0\r\nx\n\r\n',
    '100000000\r\n',
    `1;${'x'.repeat(20_000)}`,
    `${'0'.repeat(20)}1\r\n`,
    `0\r\n${'x: y\r\n'.repeat(4_000)}`,
  ])('that is out of order is refused: %j', (malformed) => {
    expect(read(malformed).at).toBe(MALFORMED_CHUNK);
  });

  it.each([1, 2, 9, 15, 16, 300])(
    'in chunks of %i bytes is handed on in a few stretches, whole and in order',
    (size) => {
      const sent = 'abcdefghijklmnopqrstuvwxyz'.repeat(200);
      let framed = '';
      for (let at = 0; at < sent.length; at += size)
        framed += `${Math.min(size, sent.length - at).toString(16)}\r\n${sent.slice(at, at + size)}\r\n`;
      const bytes = Buffer.from(`${framed}0\r\n\r\n`);
      const body = new ChunkedBody();
      const stretches: string[] = [];
      body.read(
        bytes,
        0,
        bytes.length,
        (chunk, from, until) => stretches.push(chunk.toString('latin1', from, until)) > 0,
      );
      expect([stretches.join(''), body.isComplete]).toEqual([sent, true]);
      expect(stretches.length).toBeLessThan(4);
      expect(body.stretches).toBe(Math.ceil(sent.length / size));
    },
  );

  it('is read no further than is wanted', () => {
    const body = new ChunkedBody();
    const bytes = Buffer.from(text);
    let taken = 0;
    expect(body.read(bytes, 0, bytes.length, () => ++taken < 1)).toBe(8);
    expect(taken).toBe(1);
  });
});
