import { describe, expect, it, onTestFinished } from 'vitest';
import { readAnswer } from '@/lib/protocol/jsonrpc/answer';
import { Secret } from '../../config/secret';
import { serve } from '@/test/test-gateway';
import type { AnswerBody } from '../http1/exchange';
import { Upstream } from './upstream';

const ENTRY = JSON.stringify({ data: `0x${'e'.repeat(64)}`, text: 'é \\" ] }', topics: ['0x1', '0x2'] });
const RESULT = `[${Array(3_000).fill(ENTRY).join(',')}]`;
const WHOLE = `{"jsonrpc":"2.0","id":7,"result":${RESULT}}`;

/** Returns the result of a long answer that is sent with its length, or in chunks of this size. */
async function answered(body: string, chunkBytes: number | null): Promise<AnswerBody> {
  const bytes = Buffer.from(body);
  const { port } = await serve((_request, response) => {
    if (chunkBytes === null) return void response.setHeader('content-length', bytes.length).end(bytes);
    for (let at = 0; at < bytes.length; at += chunkBytes) response.write(bytes.subarray(at, at + chunkBytes));
    response.end();
  });
  const upstream = new Upstream(
    { url: new Secret(`http://127.0.0.1:${port}`), headers: {} },
    { connections: 1, connectTimeoutMs: 5_000, answerBytesMax: 2_000_000 },
  );
  onTestFinished(() => upstream.close());
  return upstream.post('{}', 10_000);
}

describe.each([
  ['with its length', null],
  ['in large chunks', 40_000],
  ['in small chunks', 777],
])('a long answer %s', (_how, chunkBytes) => {
  it('is read where it was scanned while it came', async () => {
    const { bytes, structure } = await answered(WHOLE, chunkBytes);
    expect(bytes.toString()).toBe(WHOLE);
    const start = WHOLE.indexOf(RESULT);
    const end = start + Buffer.byteLength(RESULT);
    expect(structure?.isWhole).toBe(true);
    expect(structure?.ends.get(start)).toBe(end);
    expect(readAnswer(bytes, structure)).toEqual({ kind: 'result', id: 7, valueStart: start, valueEnd: end });
    expect(readAnswer(bytes)).toEqual(readAnswer(bytes, structure));
  });

  it.each([
    ['that is cut off', WHOLE.slice(0, -3)],
    ['that is cut off in a string', `${WHOLE.slice(0, 100_000)}"`],
    ['with something foreign between its strings', WHOLE.replace('},{', '},<{')],
    ['with a bracket too many', `${WHOLE.slice(0, -1)}]}`],
    ['with another after it', `${WHOLE}{}`],
  ])('%s is none', async (_what, body) => {
    const { bytes, structure } = await answered(body, chunkBytes);
    expect(readAnswer(bytes, structure)).toBeNull();
  });
});

it('many long answers at once are read to their ends, though none is read in one go', async () => {
  const large = Buffer.from(`"${'x'.repeat(1_900_000)}"`);
  const { port } = await serve(
    (_request, response) => void response.setHeader('content-length', large.length).end(large),
  );
  const upstream = new Upstream(
    { url: new Secret(`http://127.0.0.1:${port}`), headers: {} },
    { connections: 8, connectTimeoutMs: 5_000, answerBytesMax: 2_000_000 },
  );
  onTestFinished(() => upstream.close());
  const answers = await Promise.all(Array.from({ length: 24 }, () => upstream.post('{}', 10_000)));
  expect(answers.filter(({ bytes }) => large.equals(bytes))).toHaveLength(24);
});
