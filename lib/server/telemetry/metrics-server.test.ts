import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Metrics } from './metrics';
import { MetricsServer } from './metrics-server';

const TOKEN = 'a-token-of-this-test-long-enough';

async function serving(token: string | null): Promise<(path: string, init?: RequestInit) => Promise<Response>> {
  const server = new MetricsServer(new Metrics(), { port: 0, host: '127.0.0.1', token: token === null ? null : { reveal: () => token } }, vi.fn());
  const port = await server.listen();
  onTestFinished(() => server.close());
  return (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init);
}

const bearing = (token: string): RequestInit => ({ headers: { authorization: `Bearer ${token}` } });

describe('the listener for metrics', () => {
  it('serves them in the text format, and nothing else', async () => {
    const ask = await serving(null);
    const response = await ask('/metrics');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(await response.text()).toContain('# TYPE process_cpu_seconds_total counter');
    expect((await ask('/')).status).toBe(404);
    expect((await ask('/metrics', { method: 'POST' })).status).toBe(405);
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
    await expect(new MetricsServer(new Metrics(), { port, host: '127.0.0.1', token: null }, vi.fn()).listen()).rejects.toThrow('set ADMIN_PORT to another');
  });
});
