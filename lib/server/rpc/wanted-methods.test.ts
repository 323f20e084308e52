import { expect, it } from 'vitest';
import { METHODS } from '@/lib/protocol/rpc-methods';
import { findNetwork, type Network } from '@/lib/protocol/networks';
import { WantedMethods } from './wanted-methods';

/**
 * Guarantee: the operator learns which refused methods rpc.extraMethods could allow, and no caller can fill the log.
 */

const BASE = findNetwork('base-mainnet') as Network;
const items = (...methods: string[]) =>
  methods.map((method) => ({ method, params: '[]', paramsByName: false, id: '1' }));

function wanted() {
  const told: unknown[] = [];
  let now = 0;
  const methods = new WantedMethods(
    { info: (fields: unknown, text?: unknown) => void told.push([fields, text]) } as never,
    () => now,
  );
  return {
    told,
    pass: (ms: number) => void (now += ms),
    note: (...names: string[]) => methods.note(items(...names), BASE, new Map()),
  };
}

it.each([
  'pm_sponsorUserOperation',
  'pm_getPaymasterData',
  'ots_getApiLevel',
  'ots_hasCode',
  'alchemy_getAssetTransfers',
  'parity_pendingTransactions',
  'qn_fetchNFTs',
  'getAssetsByOwner',
  'simulateBundle',
  'eth_sendPrivateRawThing',
  'zkevm_batchNumber',
])('%s is told of, by its name and the setting', (method) => {
  const { told, note } = wanted();
  expect(note('eth_chainId', method)).toBe(true);
  expect(told).toEqual([[{ method, network: 'base-mainnet' }, expect.stringContaining('rpc.extraMethods')]]);
});

it.each([
  'eth_subscribe',
  'eth_newFilter',
  'eth_sign',
  'no_such',
  'ETH_CALL',
  '',
  'constructor',
  'pm_',
  'pm_\u001b[31m',
  `pm_${'x'.repeat(300)}`,
  ...METHODS.slice(0, 3).map(({ name }) => name),
])('%.30j is not', (method) => {
  const { told, note } = wanted();
  expect(note(method)).toBe(false);
  expect(told).toEqual([]);
});

it('each name once an hour, and a hundred names in all', () => {
  const { told, note, pass } = wanted();
  for (let i = 0; i < 5; i++) note('pm_a1', 'pm_a1');
  expect(told).toHaveLength(1);
  pass(3_600_000);
  note('pm_a1');
  expect(told).toHaveLength(2);
  for (let i = 0; i < 1_000; i++) note(`ots_made${i}`);
  expect(told).toHaveLength(101);
});
