import { describe, expect, it } from 'vitest';
import { RequestHead } from './request-head';

const PREFIXES = ['/api/chat/', '/api/rpc/'];
const REQUEST =
  'POST /api/rpc/base-mainnet HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nX-Thing:  some value \r\n\r\n{}';

function read(text: string) {
  return RequestHead.read(Buffer.from(text, 'latin1'), PREFIXES);
}

function withLine(line: string): string {
  return REQUEST.replace('\r\n\r\n', `\r\n${line}\r\n\r\n`);
}

describe('a request of the plainest kind', () => {
  it('is read: path, headers by name in any case, and where its body is', () => {
    const head = read(`${REQUEST}POST`);
    expect(head?.path).toBe('/api/rpc/base-mainnet');
    expect([head?.header('host'), head?.header('x-thing'), head?.header('x-other'), head?.header('x-thin')]).toEqual([
      'a',
      'some value',
      null,
      null,
    ]);
    expect(`${REQUEST}POST`.slice(head?.bodyStart, head?.bodyEnd)).toBe('{}');
  });

  it('may say that it keeps the connection, and have an empty header or no body', () => {
    expect(read(withLine('Connection: Keep-Alive'))).not.toBeNull();
    expect(read(withLine('X-Empty:'))?.header('x-empty')).toBe('');
    expect(read('POST /api/rpc/a HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n')?.bodyEnd).toBe(56);
  });

  it('is not recognised in any of its beginnings', () => {
    for (let length = 0; length < REQUEST.length; length++) expect(read(REQUEST.slice(0, length))).toBeNull();
  });
});

describe('everything else is left to node:http', () => {
  it.each(
    [
      REQUEST.replace('POST', 'GET'),
      REQUEST.replace('POST', 'post'),
      REQUEST.replace('HTTP/1.1', 'HTTP/1.0'),
      REQUEST.replace(' HTTP', '  HTTP'),
      REQUEST.replace('/api/rpc/', '/api/rpx/'),
      REQUEST.replace('base-mainnet', 'base-mainnet?x=1'),
      REQUEST.replace('base-mainnet', 'base%2dmainnet'),
      REQUEST.replace('base-mainnet', 'base/../mainnet'),
      REQUEST.replace('/api', 'http://a/api'),
      REQUEST.replaceAll('\r\n', '\n'),
      REQUEST.replace('Host: a\r\n', ''),
      REQUEST.replace('Content-Length: 2\r\n', ''),
      REQUEST.replace('Length: 2', 'Length: +2'),
      REQUEST.replace('Length: 2', 'Length: 2, 2'),
      REQUEST.replace('Length: 2', 'Length: 0x2'),
      REQUEST.replace('Length: 2', 'Length: 3'),
      REQUEST.replace('Length: 2', 'Length: 00000002'),
      withLine('content-length: 2'),
      withLine('host: b'),
      withLine('x-thing: again'),
      withLine('Transfer-Encoding: chunked'),
      withLine('transfer-encoding: identity'),
      withLine('Expect: 100-continue'),
      withLine('Upgrade: h2c'),
      withLine('Connection: close'),
      withLine('Connection: upgrade'),
      withLine('TE: trailers'),
      withLine(' folded'),
      withLine('X Y: z'),
      withLine('X-Y : z'),
      withLine('X_Y: z'),
      withLine(': z'),
      withLine('no colon'),
      withLine('X-Y: tab\there'),
      withLine('X-Y: a\rb'),
      withLine('X-Y: a\0b'),
      withLine('X-Y: caf\xe9'),
      withLine(`X-Y: ${'z'.repeat(20_000)}`),
      withLine(Array.from({ length: 60 }, (_none, index) => `X-${index}: z`).join('\r\n')),
      '',
      '\r\n',
      '\x16\x03\x01',
    ].map((text) => [text.length > 300 ? `${text.slice(0, 300)}…` : text, text]),
  )('%j', (_shown, text) => {
    expect(read(text)).toBeNull();
  });
});
