import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { serve, testGateway } from '@/test/test-gateway';
import { KeptJson } from './kept-json';
import { nodeListener } from './node-adapter';
import { Router } from './router';

const DECODE = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync };

function stage(value: () => unknown = () => ({ text: 'x'.repeat(100_000) })) {
  const clock = { ms: 0 };
  const kept = new KeptJson(() => clock.ms);
  const made: string[] = [];
  const ask = (headers: Record<string, string> = {}, name = 'all') =>
    kept.reply({ header: (each) => headers[each] ?? null }, name, () => {
      made.push(name);
      return value();
    });
  return { clock, made, ask };
}

describe('an answer that is the same for every caller', () => {
  it('is made once for all that ask within a second, also at the same moment', async () => {
    const { clock, made, ask } = stage();
    const replies = await Promise.all([ask(), ask({ 'accept-encoding': 'br' }), ask({ 'if-none-match': '"other"' })]);
    clock.ms = 99;
    const late = await ask();
    expect(made).toHaveLength(1);
    expect(late.body).toBe(replies[0].body);
    clock.ms = 100;
    await ask();
    expect(made).toHaveLength(2);
  });

  it('is compressed once per coding until it changes, and each form has a tag of its own', async () => {
    let text = 'a';
    const { clock, ask } = stage(() => text.repeat(100_000));
    const plain = await ask();
    const tags = new Set([plain.headers['etag']]);
    for (const coding of ['zstd', 'br', 'gzip'] as const) {
      const first = await ask({ 'accept-encoding': coding });
      expect(first.headers).toMatchObject({ vary: 'Accept-Encoding', 'content-encoding': coding });
      expect(DECODE[coding](first.body as Uint8Array).equals(plain.body as Uint8Array)).toBe(true);
      tags.add(first.headers['etag']);
      clock.ms += 5_000;
      expect((await ask({ 'accept-encoding': coding })).body).toBe(first.body);
    }
    expect(tags.size).toBe(4);
    text = 'b';
    clock.ms += 5_000;
    const other = await ask({ 'accept-encoding': 'gzip' });
    expect(gunzipSync(other.body as Uint8Array).toString()).toBe(JSON.stringify('b'.repeat(100_000)));
    expect(tags).not.toContain(other.headers['etag']);
  });

  it.each([
    ['its tag', (tag: string) => tag],
    ['its tag, weak', (tag: string) => `W/${tag}`],
    ['a list with it', (tag: string) => `"a,b", W/"c" ,${tag}`],
    ['any', () => ' * '],
  ])('is not sent to a client that names %s', async (_what, condition) => {
    const { ask } = stage();
    for (const headers of [{}, { 'accept-encoding': 'gzip' }] as Record<string, string>[]) {
      const { etag = '' } = (await ask(headers)).headers;
      expect(etag).toMatch(/^"[\w-]+"$/);
      expect(await ask({ ...headers, 'if-none-match': condition(etag) })).toEqual({
        status: 304,
        headers: { etag, vary: 'Accept-Encoding', 'cache-control': 'private, no-cache' },
        body: null,
      });
    }
  });

  it('is sent to a client that names another tag, that of another coding, or nonsense', async () => {
    const { ask } = stage();
    const { etag = '' } = (await ask({ 'accept-encoding': 'gzip' })).headers;
    for (const condition of ['"a"', etag, etag.slice(1, -1), '', '"', '*, "a"', '"'.repeat(9_999)])
      expect((await ask({ 'accept-encoding': 'br', 'if-none-match': condition })).status, condition).toBe(200);
  });

  it('has no more headers than it needs where it is short', async () => {
    const { ask } = stage(() => []);
    const { headers } = await ask({ 'accept-encoding': 'gzip' });
    expect(Object.keys(headers).sort()).toEqual(['cache-control', 'content-type', 'etag']);
  });

  it('is kept in at most 16 variants', async () => {
    const { made, ask } = stage();
    for (let i = 0; i < 17; i++) await ask({}, `v${i}`);
    await ask({}, 'v16');
    expect(made).toHaveLength(17);
    await ask({}, 'v0');
    expect(made).toHaveLength(18);
  });

  it('is made anew after it could not be made', async () => {
    let fails = true;
    const { made, ask } = stage(() => {
      if (fails) throw new Error('away');
      return 1;
    });
    const failed = await Promise.allSettled([ask(), ask()]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fails = false;
    expect((await ask()).status).toBe(200);
    expect(made).toHaveLength(2);
  });
});

it('over HTTP, 304 has no body and no length, and the connection serves on', async () => {
  const kept = new KeptJson();
  const endpoint = {
    path: '/api/kept',
    GET: (call: Parameters<KeptJson['reply']>[0]) => kept.reply(call, '', () => 'x'.repeat(200_000)),
  };
  const served = { ...(await testGateway()), endpoints: [endpoint], router: new Router([endpoint]) };
  const { origin } = await serve(nodeListener(served));
  const ask = (headers: Record<string, string> = {}) => fetch(`${origin}/api/kept`, { headers });
  for (let i = 0; i < 3; i++) {
    const first = await ask();
    expect(await first.json()).toBe('x'.repeat(200_000));
    const second = await ask({ 'if-none-match': first.headers.get('etag') ?? '' });
    expect([second.status, second.headers.get('content-length'), await second.text()]).toEqual([304, null, '']);
  }
});
