import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RpcRequestError } from 'viem';
import { paymentsConfig, paymentsSchema, type SolanaRailConfig } from '../../config/payments';
import { createLog } from '../../telemetry/log';
import { testAddress } from '@/test/solana-messages';
import { FEE_PAYER, MINT, NETWORK, RECEIVER, SolanaTill } from '@/test/solana-till';
import { ChainUnreachable } from '../rail';
import { type FeePayers, RemoteFeePayers } from './fee-payers';
import { SolanaRail } from './solana-rail';

const file = (change: object = {}) => ({
  rails: [
    {
      family: 'solana',
      network: NETWORK,
      name: 'solana',
      rpcNetwork: 'solana-mainnet',
      token: { address: MINT },
      receiver: RECEIVER.address,
      facilitator: { url: 'http://127.0.0.1:9' },
      ...change,
    },
  ],
});

async function remote(
  supportOf: () => Promise<{ extra: Record<string, unknown>; signers: string[] }>,
): Promise<FeePayers> {
  const feePayers = new RemoteFeePayers({ supportOf }, NETWORK, createLog('silent'));
  onTestFinished(() => feePayers.close());
  await sleep(5);
  return feePayers;
}

function railOf(feePayers: FeePayers): SolanaRail {
  const config = paymentsConfig(paymentsSchema.parse(file())).rails[0] as SolanaRailConfig;
  const rpc = () =>
    Promise.reject(new RpcRequestError({ body: {}, url: '', error: { code: -1, message: 'not asked' } }));
  const facilitator = { settle: () => Promise.reject(new Error('not asked')) };
  return new SolanaRail(config, rpc, { kind: 'remote', facilitator }, feePayers);
}

describe('fee payers of a remote facilitator', () => {
  it('are the one that it names and all that it signs with: the next answer may name another', async () => {
    const feePayers = await remote(() =>
      Promise.resolve({ extra: { feePayer: testAddress(1) }, signers: [testAddress(2), FEE_PAYER.address] }),
    );
    expect(feePayers.current()).toBe(testAddress(1));
    expect([testAddress(1), testAddress(2), testAddress(3)].map((each) => feePayers.isKnown(each))).toEqual([
      true,
      true,
      false,
    ]);
    const till = new SolanaTill();
    expect(railOf(feePayers).read(till.presented(till.wire()))).toMatchObject({ amountUnits: 50_000_000n });
  });

  it.each([[{}], [{ feePayer: 5 }], [{ feePayer: 'not an address' }], [{ feePayer: '1'.repeat(44) }]])(
    'are empty if it names %j, and the rail is not offered',
    async (extra) => {
      const feePayers = await remote(() => Promise.resolve({ extra, signers: [] }));
      expect(feePayers.current()).toBeNull();
      expect(railOf(feePayers).requirements(5_000_000n)).toBeNull();
    },
  );

  it('are not known before it has answered: a payment is then put off, not called invalid', async () => {
    const till = new SolanaTill();
    const rail = railOf(await remote(() => Promise.reject(new Error('down'))));
    expect(() => rail.read(till.presented(till.wire()))).toThrow(ChainUnreachable);
  });
});

describe('addresses in the configuration of a Solana rail', () => {
  it.each([
    ['receiver', { receiver: '1'.repeat(44) }],
    ['mint', { token: { address: 'z'.repeat(32) } }],
  ])('a %s that is no 32 bytes is refused at the start', (_, change) => {
    expect(paymentsSchema.safeParse(file(change)).success).toBe(false);
    expect(paymentsSchema.safeParse(file()).success).toBe(true);
  });
});
