import { request } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Metrics } from './metrics';
import { MetricsServer } from './metrics-server';

const TOKEN = 'a-token-of-this-test-long-enough';

async function serving(token: string | null): Promise<(path: string, init?: RequestInit) => Promise<Response>> {
  const server = new MetricsServer(
    new Metrics(),
    { port: 0, host: '127.0.0.1', token: token === null ? null : { reveal: () => token } },
    vi.fn(),
  );
  const port = await server.listen();
  onTestFinished(() => server.close());
  return (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init);
}

const bearing = (token: string): RequestInit => ({ headers: { authorization: `Bearer ${token}` } });

function statusAs(port: number, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: '/metrics', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .once('error', reject)
      .end();
  });
}

describe('the listener for metrics', () => {
  it('serves them in the text format, and nothing else', async () => {
    const ask = await serving(null);
    const response = await ask('/metrics');
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    expect(await response.text()).toContain('# TYPE process_cpu_seconds_total counter');
    expect((await ask('/')).status).toBe(404);
    expect((await ask('/metrics', { method: 'POST' })).status).toBe(405);
  });

  it.each([
    ['evil.example', 421],
    ['localhost.evil.example:9464', 421],
    ['127.0.0.1.evil.example', 421],
    ['localhost:1', 200],
    ['[::1]:9464', 200],
    ['192.168.1.7', 200],
    ['metrics.example:9464', 200],
  ])('answers nothing to a page that had its own name resolve to this machine: %s, %i', async (host, status) => {
    const server = new MetricsServer(
      new Metrics(),
      { port: 0, host: '127.0.0.1', token: null, names: ['metrics.example'] },
      vi.fn(),
    );
    const port = await server.listen();
    onTestFinished(() => server.close());
    expect(await statusAs(port, { host })).toBe(status);
  });

  it('answers requests with its token under any host name', async () => {
    const server = new MetricsServer(
      new Metrics(),
      { port: 0, host: '127.0.0.1', token: { reveal: () => TOKEN } },
      vi.fn(),
    );
    const port = await server.listen();
    onTestFinished(() => server.close());
    expect([
      await statusAs(port, { host: 'gateway:9464', authorization: `Bearer ${TOKEN}` }),
      await statusAs(port, { host: 'evil.example' }),
    ]).toEqual([200, 401]);
  });

  it('answers 401 without its token and with a wrong one, at any path', async () => {
    const ask = await serving(TOKEN);
    for (const init of [undefined, bearing('wrong'), bearing(`${TOKEN}x`), { headers: { authorization: TOKEN } }]) {
      for (const path of ['/metrics', '/']) expect((await ask(path, init)).status, JSON.stringify(init)).toBe(401);
    }
  });

  it('says what to do where its port is taken', async () => {
    const first = new MetricsServer(new Metrics(), { port: 0, host: '127.0.0.1', token: null }, vi.fn());
    const port = await first.listen();
    onTestFinished(() => first.close());
    await expect(
      new MetricsServer(new Metrics(), { port, host: '127.0.0.1', token: null }, vi.fn()).listen(),
    ).rejects.toThrow('set ADMIN_PORT to another');
  });
});
