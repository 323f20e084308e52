import { describe, expect, it } from 'vitest';
import { gatewayOfFile, serve, testGateway } from '@/test/test-gateway';
import { ChainUnavailable, type DailyCreditStake, type StakeReader } from '../billing/allocation/stake-reader';
import { nodeListener } from '../http/node-adapter';

const TOKEN = '0x1352fc8e13B674bB2Ca24ab8c84936d1702BF859';
const contracts = { stakeToken: TOKEN, staking: TOKEN, dailyCreditToken: TOKEN, dailyCreditPool: TOKEN };

/** A gateway with a deployment whose chain answers so, on a clock that the test moves. */
async function poolOf(dailyCreditStake: () => Promise<DailyCreditStake>, file: object = {}) {
  const clock = { now: Date.UTC(2026, 0, 1) };
  const stake: StakeReader = { holdsStake: () => Promise.resolve(false), dailyCreditStake };
  const settings = {
    networks: { 'base-mainnet': { upstreams: ['http://127.0.0.1:9'] } },
    staking: { deployments: [{ network: 'base-mainnet', primary: true, ...contracts }] },
    ...file,
  };
  const gateway = await gatewayOfFile(settings, { substitutes: { stake, now: () => clock.now } });
  const { origin } = await serve(nodeListener(gateway));
  return { clock, ask: (headers: Record<string, string> = {}) => fetch(`${origin}/api/staking-pool`, { headers }) };
}

describe('GET /api/staking-pool', () => {
  it('tells what all have staked, to the base unit, and asks the chain once in half a minute', async () => {
    let reads = 0;
    const { ask, clock } = await poolOf(() =>
      Promise.resolve({ staked: 0n, total: 4_000_000_000_000_000_001n + BigInt(reads++), decimals: 18 }),
    );
    const together = await Promise.all(
      Array.from({ length: 5 }, async () => (await ask()).json() as Promise<{ total: string }>),
    );
    expect(new Set(together.map(({ total }) => total))).toEqual(new Set(['4000000000000000001']));
    expect(reads).toBe(1);
    clock.now += 30_000;
    expect(await (await ask()).json()).toEqual({ total: '4000000000000000002', decimals: 18 });
  });

  it('says that the chain did not answer, and asks it again the next time', async () => {
    let isAway = true;
    const { ask } = await poolOf(() =>
      isAway
        ? Promise.reject(new ChainUnavailable('Stakes on base-mainnet could not be read'))
        : Promise.resolve({ staked: 0n, total: 7n, decimals: 0 }),
    );
    const away = await ask();
    expect(away.status).toBe(503);
    expect(await away.json()).toMatchObject({
      code: 'STAKE_UNAVAILABLE',
      error: expect.stringContaining('What is staked could not be read, because the chain did not answer.'),
    });
    isAway = false;
    expect(await (await ask()).json()).toEqual({ total: '7', decimals: 0 });
  });

  it('has no total where nothing can be staked', async () => {
    const { origin } = await serve(nodeListener(await testGateway()));
    expect(await (await fetch(`${origin}/api/staking-pool`)).json()).toEqual({ total: null });
  });

  it('is for pages of our own origin, and limited by address', async () => {
    const { ask } = await poolOf(() => Promise.resolve({ staked: 0n, total: 1n, decimals: 0 }), {
      limits: { consoleRequestsPerMinutePerIp: 1 },
    });
    const first = await ask({ origin: 'https://elsewhere.example' });
    expect([first.status, first.headers.get('access-control-allow-origin')]).toEqual([200, null]);
    expect((await ask()).status).toBe(429);
  });
});
