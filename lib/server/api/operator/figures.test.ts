import { expect, it, onTestFinished } from 'vitest';
import { tempFolder } from '@/test/temp-folder';
import { gatewayOfFile, serve } from '@/test/test-gateway';
import { listenForCommands } from '../../admin/control-socket';
import { nodeListener } from '../../http/node-adapter';

const KEY = 'k'.repeat(32);

/** Starts a gateway with or without an operator's key. */
async function gatewayWith(env: Record<string, string>, file: object = {}) {
  const folder = tempFolder();
  const gateway = await gatewayOfFile({ ...file }, { folder, env });
  const { origin } = await serve(nodeListener(gateway));
  return {
    folder,
    gateway,
    ask: () => fetch(`${origin}/api/v1/operator/figures`, { headers: { authorization: `Bearer ${KEY}` } }),
  };
}

it('names this process once, whether or not it listens for commands', async () => {
  const { folder, gateway, ask } = await gatewayWith({ TURNPIKE_OPERATOR_KEY: KEY });
  const pids = async () =>
    ((await (await ask()).json()) as { gateways: { pid: number }[] }).gateways.map(({ pid }) => pid);
  expect(await pids()).toEqual([process.pid]);
  const listening = await listenForCommands(folder, {
    reload: () => Promise.reject(new Error('Nobody reloads.')),
    status: () => gateway.figures(),
  });
  onTestFinished(() => listening?.close());
  expect(await pids()).toEqual([process.pid]);
});

it('is not there where no operator is configured', async () => {
  const { ask } = await gatewayWith({});
  expect((await ask()).status).toBe(404);
});

it('is limited by address, for operators and others alike', async () => {
  const { ask } = await gatewayWith({ TURNPIKE_OPERATOR_KEY: KEY }, { limits: { consoleRequestsPerMinutePerIp: 1 } });
  expect((await ask()).status).toBe(200);
  expect((await ask()).status).toBe(429);
});
