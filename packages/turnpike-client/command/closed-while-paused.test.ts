import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** A server that answers and then closes the connection, and a client that reads the answer afterwards. */
const LATE_READER = `
import { createServer } from 'node:net';
const { isClosedWhilePaused } = await import(process.argv[1]);
const escaped = [];
if (process.argv[2] === 'survives') process.on('uncaughtException', (error) => void escaped.push(isClosedWhilePaused(error)));
const body = 'x'.repeat(65536);
const server = createServer((socket) => socket.on('error', () => {}).once('data', () => socket.end('HTTP/1.1 200 OK\\r\\ncontent-length: 65536\\r\\nconnection: close\\r\\n\\r\\n' + body)));
server.listen(0, '127.0.0.1', async () => {
  const response = await fetch('http://127.0.0.1:' + server.address().port);
  await new Promise((resolve) => setTimeout(resolve, 200));
  console.log(JSON.stringify({ escaped, length: (await response.text()).length }));
  process.exit();
});
`;

const run = (mode: string) =>
  promisify(execFile)(process.execPath, [
    '--no-warnings',
    '--input-type=module',
    '--eval',
    LATE_READER,
    new URL('./closed-while-paused.ts', import.meta.url).href,
    mode,
  ]);

test('a server that closes before its answer was read throws what is known here, and the answer is read whole', async () => {
  const { escaped, length } = JSON.parse((await run('survives')).stdout) as { escaped: boolean[]; length: number };
  expect(length).toBe(65_536);
  // Empty in Node versions whose client does not throw this error.
  expect(escaped).toEqual(escaped.map(() => true));
});

test('every other exception is none of these', async () => {
  const { isClosedWhilePaused } = await import('./closed-while-paused');
  const assertion = Object.assign(new Error('false == true'), { code: 'ERR_ASSERTION' });
  expect([assertion, new TypeError('x'), 'Parser.finish undici', null].map(isClosedWhilePaused)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
