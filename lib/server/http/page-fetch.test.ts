import { DEFAULT_PAGE_BRAND } from '@/lib/protocol/brand';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { json } from './call';
import { Drain } from './drain-server';
import type { Endpoint } from './endpoint';
import { HeldMemory } from './held-memory/held-memory';
import { pageFetch } from './page-fetch';
import { Router } from './router';
import { setServedApi, startedApi } from './served-api';

const before = startedApi();
let run = 0;

/** Each test uses its own paths, because answers are cached for 10 s. */
function serve(handlers: Omit<Endpoint, 'path'>): string {
  const path = `/api/asked-${(run += 1)}`;
  setServedApi({
    router: new Router([{ path, ...handlers }]),
    log: { error: vi.fn() } as never,
    observer: null,
    drain: new Drain(),
    memory: new HeldMemory({
      answersBytesMax: 1,
      callerBytesMax: 1,
      waitingMax: 1,
      slowReaderMs: 1_000,
      slowReaderPressedMs: 1_000,
    }),
    profileHeader: null,
    brand: DEFAULT_PAGE_BRAND,
    trustProxyHops: 0,
    hasWalletConnect: false,
  });
  return `http://gateway${path}`;
}

describe('what a page asks while it is rendered', () => {
  afterEach(() => {
    vi.useRealTimers();
    if (before) setServedApi(before);
  });

  it('is answered by the endpoint itself, without a credential', async () => {
    const url = serve({
      GET: (call) => json({ asks: call.query.get('type'), credential: call.header('authorization') }),
    });
    expect(await (await pageFetch(`${url}?type=tts`)).json()).toEqual({ asks: 'tts', credential: null });
  });

  it('is asked once for all pages of ten seconds', async () => {
    vi.useFakeTimers();
    const GET = vi.fn(() => json({ ok: true }));
    const url = serve({ GET });
    await Promise.all([pageFetch(url), pageFetch(url)]);
    await pageFetch(url);
    expect(GET).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(10_001);
    await pageFetch(url);
    expect(GET).toHaveBeenCalledTimes(2);
  });

  it('keeps the status of a refusal, of which nothing of the inside is told', async () => {
    const url = serve({
      GET: () => {
        throw new Error('the database is at /secret');
      },
    });
    const response = await pageFetch(url);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('secret');
  });

  it('leads nowhere where there is no endpoint', async () => {
    const url = serve({ GET: () => json({}) });
    expect((await pageFetch(`${url}/further`)).status).toBe(404);
  });
});
