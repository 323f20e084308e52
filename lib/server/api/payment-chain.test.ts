import { describe, expect, it } from 'vitest';
import type { Gateway } from '../create-gateway';
import { nodeListener } from '../http/node-adapter';
import { NO_RAILS } from '../payments/rail-terms';
import { gatewayOfFile, serve } from '@/test/test-gateway';
import { AddressLimiter } from '../http/rate-limit/address-limiter';
import { Router } from '../http/router';
import { paymentChain } from './payment-chain';

const RAIL = {
  network: 'solana:x',
  name: 'solana',
  rpcNetwork: 'solana-mainnet',
  asset: 'm',
  symbol: 'USDC',
  decimals: 6,
  payTo: 'r',
} as const;

/** Starts a gateway with one rail and two networks. Each network answers with the name of the method. */
async function openChain(limits: object = {}) {
  const upstream = await serve((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const { id, method } = JSON.parse(text) as { id: unknown; method: string };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: method }));
    });
  });
  const gateway = await gatewayOfFile({
    limits,
    networks: Object.fromEntries(
      ['solana-mainnet', 'solana-devnet'].map((slug) => [
        slug,
        { upstreams: [`${upstream.origin}/${slug}`], chainIdentity: false },
      ]),
    ),
  });
  const { origin } = await serve(nodeListener({ ...gateway, router: new Router([endpointOf(gateway)]) }));
  return (body: unknown, network = 'solana-mainnet') =>
    fetch(`${origin}/api/payment-chain/${network}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
}

/** Creates the endpoint, with one configured rail. */
function endpointOf({ networks, log, config }: Gateway) {
  return paymentChain({
    networks,
    log,
    rails: { ...NO_RAILS, terms: [RAIL] },
    consoleLimiter: new AddressLimiter(config.limits.consoleRequestsPerMinutePerIp),
  });
}

const item = (method: string) => ({ jsonrpc: '2.0', id: 1, method, params: [] });

describe('POST /api/payment-chain/{network}', () => {
  it('answers what drafting a payment reads, without a credential', async () => {
    const ask = await openChain();
    for (const method of ['getLatestBlockhash', 'getAccountInfo', 'getTokenAccountsByOwner']) {
      expect(await (await ask(item(method))).json()).toEqual({ jsonrpc: '2.0', id: 1, result: method });
    }
  });

  it('gives away nothing else: no other method, no batch, no network without payments', async () => {
    const ask = await openChain();
    const refused = await Promise.all([
      ask(item('getProgramAccounts')),
      ask(item('sendTransaction')),
      ask([item('getLatestBlockhash'), item('getAccountInfo')]),
      ask(item('getLatestBlockhash'), 'solana-devnet'),
      ask(item('getLatestBlockhash'), 'nowhere'),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    expect((await ask({ ...item('getAccountInfo'), params: ['x'.repeat(5_000)] })).status).toBe(413);
  });

  it('is limited by address', async () => {
    const ask = await openChain({ consoleRequestsPerMinutePerIp: 1 });
    expect([(await ask(item('getLatestBlockhash'))).status, (await ask(item('getLatestBlockhash'))).status]).toEqual([
      200, 429,
    ]);
  });
});
