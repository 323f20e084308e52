import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';

import { originOf, readyMessage, waitForService } from './running-service.mjs';

const health = { networks: ['solana-mainnet', 'ethereum-mainnet', 'base-mainnet'].map((network) => ({ network })) };
const sandbox = { demoKey: 'tpk_demo', evm: [{ rpcUrl: 'http://localhost:4100/api/sandbox/rpc/base-mainnet' }] };

test('a sandbox tells its own origin, the usual example, and stand-ins of every kind but those with an upstream', () => {
  expect(readyMessage({ reached: 'http://127.0.0.1:4100', sandbox, health }, ['base-mainnet'])).toEqual({
    type: 'ready',
    url: 'http://localhost:4100',
    profile: 'sandbox',
    demoKey: 'tpk_demo',
    exampleNetwork: 'ethereum-mainnet',
    standIns: ['ethereum-mainnet', 'solana-mainnet'],
  });
});

test('a live gateway has no key to show and no stand-in', () => {
  expect(readyMessage({ reached: 'http://localhost:3000', health }, [])).toEqual({
    type: 'ready',
    url: 'http://localhost:3000',
    profile: 'live',
  });
});

test('this machine is called localhost, as the gateway calls it; others by their address', () => {
  expect(['127.0.0.1', '0.0.0.0', '::1', '10.0.0.7', 'fd00::7'].map((host) => originOf(host, 3000))).toEqual([
    'http://localhost:3000',
    'http://localhost:3000',
    'http://localhost:3000',
    'http://10.0.0.7:3000',
    'http://[fd00::7]:3000',
  ]);
});

test('a development server that answers 404 to its first request is not taken for the live profile', async () => {
  let requests = 0;
  const server = createServer((request, response) => {
    if (++requests === 1) response.writeHead(404).end('{}');
    else response.end(JSON.stringify(request.url === '/api/sandbox' ? sandbox : health));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  onTestFinished(() => void server.close());
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  expect(await waitForService({ host: '127.0.0.1', port })).toMatchObject({ sandbox, health });
});
