import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeListener } from '@/lib/server/http/node-adapter';
import { rpcGateway } from '@/test/rpc-gateway';
import { resultOf, scriptedNode } from '@/test/scripted-node';
import { serve, testGateway } from '@/test/test-gateway';

const ROOT = resolve(import.meta.dirname, '../../..');
const ALERTS = 'ops/alerts.yml';
const PROMTOOL = '/usr/bin/promtool';
const read = (file: string): string => readFileSync(resolve(ROOT, file), 'utf8');

/** Returns the samples of a scrape whose names begin with `name`. */
function samples(text: string, name: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => line.startsWith(name));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}

/** Scrapes repeatedly, because some metrics are counted only after the answer. */
async function eventually(
  scrape: () => Promise<string>,
  name: string,
  expected: Record<string, number>,
): Promise<void> {
  await expect.poll(async () => samples(await scrape(), name)).toMatchObject(expected);
}

describe('what a gateway measures of itself', () => {
  it('has calls, attempts, charges and refusals, each where it belongs', async () => {
    const node = await scriptedNode(({ items: [item] }) => resultOf(item as { id: number }, '"0x10"'));
    const { gateway, ask } = await rpcGateway([node.url]);
    const scrape = () => gateway.metrics.text();
    expect((await ask({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] })).status).toBe(200);
    expect((await ask({ jsonrpc: '2.0', id: 1, method: 'no_such_method', params: [] })).status).toBe(400);
    const rpc = 'endpoint="/api/v1/crypto/rpc/{network}"';
    await eventually(scrape, 'turnpike_http_request_duration_seconds_count', {
      [`turnpike_http_request_duration_seconds_count{${rpc},status="2xx"}`]: 1,
      [`turnpike_http_request_duration_seconds_count{${rpc},status="4xx"}`]: 1,
    });
    await eventually(scrape, 'turnpike_upstream_attempts_total', {
      'turnpike_upstream_attempts_total{network="ethereum-mainnet",upstream="upstream 1",outcome="answered"}': 1,
    });
    await eventually(scrape, 'turnpike_charged_credits_total', { 'turnpike_charged_credits_total{service="rpc"}': 20 });
    await eventually(scrape, 'turnpike_charged_nano_usd_total', {
      'turnpike_charged_nano_usd_total{service="rpc"}': 14_000,
    });
    await eventually(scrape, 'turnpike_request_history_waiting', { turnpike_request_history_waiting: 2 });
    await gateway.history.write();
    await eventually(scrape, 'turnpike_request_history_total', {
      'turnpike_request_history_total{outcome="written"}': 2,
      'turnpike_request_history_total{outcome="dropped"}': 0,
    });
    await eventually(scrape, 'turnpike_reservations_open', { turnpike_reservations_open: 0 });
    expect(
      Object.values(samples(await scrape(), 'turnpike_http_refusals_total')).reduce((sum, count) => sum + count),
    ).toBe(1);
  });

  it('does not grow by what callers send: paths, networks, models, methods, keys', async () => {
    const gateway = await testGateway();
    const { origin } = await serve(nodeListener(gateway));
    const linesOf = async (): Promise<number> =>
      (await gateway.metrics.text()).split('\n').filter((line) => line.startsWith('turnpike_')).length;
    const ask = (path: string, init: RequestInit = {}) =>
      fetch(`${origin}${path}`, init).then((response) => response.arrayBuffer());
    await ask('/api/v1/nowhere');
    const before = await linesOf();
    const many = Array.from({ length: 500 }, (_, i) => i);
    await Promise.all(
      many.map(async (i) => {
        await ask(`/api/v1/secret-path-${i}`);
        await ask(`/api/v1/crypto/rpc/network-${i}`, {
          method: 'POST',
          body: '{}',
          headers: { authorization: `Bearer secret-key-${i}`, 'content-type': 'application/json' },
        });
        await ask(`/api/v1/models/secret-model-${i}`);
      }),
    );
    expect(await linesOf()).toBe(before);
    expect(await gateway.metrics.text()).not.toMatch(/secret|network-\d/);
  });
});

describe('what operators are given for Prometheus and Grafana', () => {
  const alerts = read(ALERTS);
  const dashboard = JSON.parse(read('ops/dashboard.json')) as { panels: { targets: { expr: string }[] }[] };
  const asked = [...alerts.matchAll(/^\s+expr: (.*)$/gm)]
    .map(([, expr]) => String(expr))
    .concat(dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)));

  it('asks for metrics that exist', async () => {
    const { metrics } = await testGateway();
    const names = new Set(metrics.names());
    const named = asked.flatMap((expr) => expr.match(/\b(?:turnpike|process|nodejs)_\w+/g) ?? []);
    expect(named.length).toBeGreaterThan(20);
    for (const name of named)
      expect(names.has(name) || names.has(name.replace(/_(?:bucket|sum|count)$/, '')), name).toBe(true);
  });

  it('has an entry in the runbook for every alert, and no other', () => {
    const names = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => String(name));
    const entries = [...read('docs/runbook.md').matchAll(/^## (Turnpike\w+)$/gm)].map(([, name]) => String(name));
    expect(names.length).toBeGreaterThan(5);
    expect(entries).toEqual(names);
    for (const name of names) expect(alerts).toContain(`runbook: docs/runbook.md#${name.toLowerCase()}`);
  });

  // Warns instead of skipping, because a skipped test would fail the CI run.
  if (!existsSync(PROMTOOL))
    return console.warn(`${PROMTOOL} is not installed (Debian: prometheus): the alert rules are not checked by it.`);
  it('passes the checks of promtool', () => {
    expect(execFileSync(PROMTOOL, ['check', 'rules', resolve(ROOT, ALERTS)], { encoding: 'utf8' })).toContain(
      'SUCCESS',
    );
  });

  it('reads a scrape that promtool finds nothing wrong with', async () => {
    const { metrics } = await testGateway();
    // Only the gateway's own metrics, without those of Node.
    const own = (await metrics.text()).split('\n').filter((line) => line.includes('turnpike_'));
    expect(own.length).toBeGreaterThan(100);
    // promtool exits with an error if it finds a fault.
    execFileSync(PROMTOOL, ['check', 'metrics'], { input: `${own.join('\n')}\n` });
  });
});
