import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchanger } from './exchange';
import { withDeadline } from './with-deadline';

const NEVER_MS = 600_000;
let server: Server;
let baseUrl = '';
beforeAll(async () => {
  // Server that never answers.
  server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('a call with a deadline', () => {
  const ask = (signal: AbortSignal | undefined, timeoutMs: number) =>
    withDeadline(signal, timeoutMs, (both) => exchanger({ baseUrl })('GET', '/', { signal: both }));

  it('ends after it as one that nobody answered, and not as one that was cancelled', async () => {
    for (const signal of [undefined, new AbortController().signal])
      await expect(ask(signal, 20)).rejects.toMatchObject({ name: 'UnreachableError', aborted: false, baseUrl });
  });

  it('ends as cancelled where its caller gave up', async () => {
    const abort = new AbortController();
    const call = ask(abort.signal, NEVER_MS);
    abort.abort();
    await expect(call).rejects.toMatchObject({ name: 'UnreachableError', aborted: true });
  });

  it('gives what the call gives', async () => {
    expect(await withDeadline(undefined, NEVER_MS, () => Promise.resolve(1))).toBe(1);
    await expect(withDeadline(undefined, NEVER_MS, () => Promise.reject(new TypeError('other')))).rejects.toThrow(
      TypeError,
    );
  });
});
