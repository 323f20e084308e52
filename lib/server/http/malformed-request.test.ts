import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refuseMalformedRequest } from './malformed-request';

const server = createServer((_request, response) => response.end()).on('clientError', refuseMalformedRequest);
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve())));
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));

function send(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.once('end', () => resolve(answer));
    socket.once('error', reject);
  });
}

describe('what is no HTTP request', () => {
  it.each([
    ['an unknown verb', 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'MALFORMED_REQUEST'],
    ['no request line', 'hello\r\n\r\n', 400, 'MALFORMED_REQUEST'],
    [
      'headers without end',
      `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
  ])('%s is answered with a sentence, a code and a request id', async (_what, text, status, code) => {
    const answer = await send(text);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head).toMatch(/\r\nx-request-id: [0-9a-f]{32}\r\n/);
    expect(JSON.parse(body)).toMatchObject({
      code,
      error: expect.stringMatching(/\.$/),
      hint: expect.stringMatching(/\.$/),
    });
  });
});
