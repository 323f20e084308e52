import { describe, expect, it } from 'vitest';
import { AnswerHead, CHUNKED, INCOMPLETE, NO_HTTP, UNTIL_CLOSE } from './answer-head';

function read(text: string) {
  const head = new AnswerHead();
  const bytes = Buffer.from(text, 'latin1');
  return { at: head.read(bytes, 0, bytes.length), head };
}

function answer(headers: string, statusLine = 'HTTP/1.1 200 OK'): string {
  return `${statusLine}\r\n${headers === '' ? '' : `${headers}\r\n`}\r\n`;
}

describe('the head of an answer', () => {
  it('tells the status, the length and when to come back, and where it ends', () => {
    const text = answer(
      'Content-Type: application/json\r\ncontent-LENGTH:  17 \r\nRetry-After: 120\r\nKeep-Alive: timeout=5, max=100',
      'HTTP/1.1 429 Too Many Requests',
    );
    const { at, head } = read(`${text}body`);
    expect(at).toBe(text.length);
    expect(head).toMatchObject({ status: 429, length: 17, keepAlive: true, idleSeconds: 5, retryAfter: '120' });
  });

  it('leaves nothing to the next one of the connection', () => {
    const head = new AnswerHead();
    for (const text of [
      answer('content-length: 3\r\nretry-after: 1\r\nkeep-alive: timeout=9\r\nconnection: close'),
      answer(''),
    ])
      head.read(Buffer.from(text), 0, text.length);
    expect(head).toMatchObject({ length: UNTIL_CLOSE, retryAfter: undefined, idleSeconds: null });
  });

  it('may come in pieces: until its last byte it is incomplete', () => {
    const text = answer('Content-Length: 2\r\nX-Trace: a b');
    for (let length = 0; length < text.length; length++) expect(read(text.slice(0, length)).at).toBe(INCOMPLETE);
    expect(read(text).at).toBe(text.length);
  });

  it.each<[string, string, Partial<AnswerHead>]>([
    ['a length', answer('content-length: 0'), { length: 0, keepAlive: true }],
    ['the same length twice', answer('content-length: 4\r\ncontent-length: 4'), { length: 4, keepAlive: true }],
    ['chunks', answer('transfer-encoding: Chunked'), { length: CHUNKED, keepAlive: true }],
    [
      'chunks, whatever length is told beside',
      answer('content-length: 4\r\ntransfer-encoding: chunked'),
      { length: CHUNKED, keepAlive: false },
    ],
    ['no word of it', answer(''), { length: UNTIL_CLOSE, keepAlive: false }],
    ['status 204', answer('', 'HTTP/1.1 204 No Content'), { length: 0, keepAlive: true }],
    ['status 304', answer('content-length: 9', 'HTTP/1.1 304 Not Modified'), { length: 0 }],
    ['an interim response', answer('', 'HTTP/1.1 103 Early Hints'), { length: 0 }],
    ['a close that is announced', answer('content-length: 4\r\nConnection: Close'), { length: 4, keepAlive: false }],
    ['HTTP/1.0', answer('content-length: 4', 'HTTP/1.0 200 OK'), { length: 4, keepAlive: false }],
    [
      'HTTP/1.0 that is kept alive',
      answer('content-length: 4\r\nconnection: keep-alive', 'HTTP/1.0 200 OK'),
      { length: 4, keepAlive: true },
    ],
    ['no reason phrase', answer('content-length: 1', 'HTTP/1.1 200'), { status: 200, length: 1 }],
  ])('with %s tells where the body ends', (_what, text, expected) => {
    const { at, head } = read(text);
    expect(at).toBe(text.length);
    expect(head).toMatchObject(expected);
  });

  it.each([
    'SSH-2.0-OpenSSH\r\n\r\n',
    'HTTP/2.0 200 OK\r\n\r\n',
    'HTTP/1.1  200 OK\r\n\r\n',
    'HTTP/1.1 2x0 OK\r\n\r\n',
    'HTTP/1.1 2000 OK\r\n\r\n',
    'HTTP/1.1 099 OK\r\n\r\n',
    'HTTP/1.1 200 OK\n\n',
    answer('content-length: 4\r\ncontent-length: 5'),
    answer('content-length: -1'),
    answer('content-length: 4, 4'),
    answer('content-length: 0x10'),
    answer('content-length:'),
    answer('content-length : 4'),
    answer('transfer-encoding: gzip, chunked'),
    answer('x: y\r\n folded'),
    answer('no colon'),
    answer(': no name'),
    answer('x: a\rb'),
    answer('x: a\0b'),
  ])('that is invalid or ambiguous is refused: %j', (text) => {
    expect(read(text).at).toBe(NO_HTTP);
  });
});
