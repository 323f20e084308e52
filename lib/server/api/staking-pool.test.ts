import { describe, expect, it } from 'vitest';
import { gatewayOfFile, serve, testGateway } from '@/test/test-gateway';
import { ChainUnavailable, type DailyCreditStake, type StakeReader } from '../billing/allocation/stake-reader';
import { nodeListener } from '../http/node-adapter';

const TOKEN = '0x1352fc8e13B674bB2Ca24ab8c84936d1702BF859';
const contracts = { stakeToken: TOKEN, staking: TOKEN, dailyCreditToken: TOKEN, dailyCreditPool: TOKEN };

/** Starts a gateway with a scripted chain and a clock that the test moves. */
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
  const tell = (body: unknown) =>
    fetch(`${origin}/api/staking-pool`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return {
    clock,
    tell,
    ask: (headers: Record<string, string> = {}) => fetch(`${origin}/api/staking-pool`, { headers }),
  };
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

  it('says that the chain gave no usable answer, and asks it again the next time', async () => {
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
      error: expect.stringContaining('The stake could not be read, because the chain gave no usable answer.'),
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

describe('POST /api/staking-pool', () => {
  const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

  it('knows no allocation of a wallet without an account, and reads no chain for it', async () => {
    const { tell } = await poolOf(() => Promise.reject(new Error('Not to be read.')));
    const answer = await tell({ address: WALLET });
    expect([answer.status, await answer.json()]).toEqual([200, { allocationUsd: null }]);
  });

  it.each([{}, { address: 7 }, { address: '0x1' }, { address: WALLET, amount: '5' }, []])(
    'refuses the body %j',
    async (body) => {
      const { tell } = await poolOf(() => Promise.reject(new Error('Not to be read.')));
      expect((await tell(body)).status).toBe(400);
    },
  );

  it('is limited by wallet, however the address is written', async () => {
    const { tell } = await poolOf(() => Promise.reject(new Error('Not to be read.')));
    const statuses = [];
    for (let count = 0; count < 21; count++)
      statuses.push((await tell({ address: count % 2 ? WALLET : WALLET.toLowerCase() })).status);
    expect(statuses.slice(0, 20)).not.toContain(429);
    expect(statuses.at(-1)).toBe(429);
  });
});
