import { type Address, createWalletClient, http, parseEther, publicActions } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { MINTABLE_TOKEN_ABI, STAKING_ABI } from '@/lib/protocol/contract-abis';
import { SANDBOX_CONTRACTS } from '@/lib/protocol/sandbox-contracts';
import { configSchema } from '../config/schema';
import { Secret } from '../config/secret';
import { stakingSchema } from '../config/staking';
import { RpcNetworks } from '../upstreams/nodes/networks';
import { type SandboxProcess, startSandboxProcess } from '@/test/sandbox-process';
import { errorOf, type NodeScript, refusingUrl, resultOf, scriptedNode } from '@/test/scripted-node';
import { chainStakeReader } from './chain-stake-reader';
import { ChainUnavailable } from '../billing/allocation/stake-reader';

vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 });

const { stakeToken, staking, dailyCreditToken, dailyCreditPool } = SANDBOX_CONTRACTS;
const accounts = [generatePrivateKey(), generatePrivateKey()].map((key) => privateKeyToAccount(key));
const [staker, other] = accounts.map(({ address }) => address) as [Address, Address];
const nobody = privateKeyToAccount(generatePrivateKey()).address;
const chain = { url: '' };
let sandbox: SandboxProcess;

async function stakeAs(index: 0 | 1, token: Address, pool: Address, amount: bigint): Promise<void> {
  const client = createWalletClient({
    account: accounts[index]!,
    chain: foundry,
    transport: http(chain.url),
    pollingInterval: 20,
  }).extend(publicActions);
  for (const call of [
    { address: token, abi: MINTABLE_TOKEN_ABI, functionName: 'approve', args: [pool, amount] } as const,
    { address: pool, abi: STAKING_ABI, functionName: 'stake', args: [amount] } as const,
  ]) {
    const receipt = await client.waitForTransactionReceipt({
      hash: await client.writeContract(call as Parameters<typeof client.writeContract>[0]),
    });
    expect(receipt.status).toBe('success');
  }
}

beforeAll(async () => {
  sandbox = await startSandboxProcess();
  chain.url = sandbox.evmUrl('sandbox-testnet');
  await sandbox.fund(staker);
  await sandbox.fund(other);
  await stakeAs(0, stakeToken, staking, 1n);
  await stakeAs(0, dailyCreditToken, dailyCreditPool, parseEther('1'));
  await stakeAs(1, dailyCreditToken, dailyCreditPool, parseEther('3'));
});
afterAll(() => sandbox.stop());

/** Creates a reader of deployments on these upstreams. The first deployment is the primary one. */
function reader(urls: Record<string, string>, timeoutMs = 2_000, changes: object = {}) {
  const { rpc } = configSchema.parse({ rpc: { healthChecks: { intervalMs: 0 } } });
  const upstreams = Object.entries(urls).map(([slug, url]) => [
    slug,
    { upstreams: [{ url: new Secret(url), headers: {} }], chainIdentity: false },
  ]);
  const networks = new RpcNetworks({
    rpc,
    networks: Object.fromEntries(upstreams) as ConstructorParameters<typeof RpcNetworks>[0]['networks'],
  });
  onTestFinished(() => networks.close());
  const { deployments } = stakingSchema.parse({
    deployments: Object.keys(urls).map((network, index) => ({
      network,
      primary: index === 0,
      stakeToken,
      staking,
      dailyCreditToken,
      dailyCreditPool,
      ...changes,
    })),
  });
  return chainStakeReader(networks, deployments, timeoutMs);
}

const silent: NodeScript = () => undefined;
const failing: NodeScript = ({ items: [item] }) => errorOf(item as { id: number }, -32000, 'internal error');

describe('holdsStake', () => {
  it('is true for a wallet with one base unit staked, and false for a wallet without stake', async () => {
    const stake = reader({ 'base-mainnet': chain.url });
    expect([await stake.holdsStake(staker), await stake.holdsStake(other), await stake.holdsStake(nobody)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('is true by one deployment though the other chain is down, silent or answers errors', async () => {
    for (const url of [await refusingUrl(), (await scriptedNode(silent)).url, (await scriptedNode(failing)).url]) {
      expect(await reader({ 'sandbox-testnet': url, 'base-mainnet': chain.url }, 300).holdsStake(staker)).toBe(true);
    }
  });

  it('is no false, but unavailable, where one deployment says zero and the other says nothing', async () => {
    for (const url of [await refusingUrl(), (await scriptedNode(silent)).url, (await scriptedNode(failing)).url]) {
      await expect(
        reader({ 'sandbox-testnet': chain.url, 'base-mainnet': url }, 300).holdsStake(nobody),
      ).rejects.toThrow(ChainUnavailable);
    }
  });

  it('takes a contract that is not there for no answer, never for a zero', async () => {
    const stake = reader({ 'base-mainnet': chain.url }, 2_000, {
      staking: '0x00000000000000000000000000000000000000aa',
    });
    await expect(stake.holdsStake(staker)).rejects.toThrow(/base-mainnet could not be read/);
  });

  it('takes an answer that is no number for no answer', async () => {
    const node = await scriptedNode(({ items: [item] }) => resultOf(item as { id: number }, '"0x01"'));
    await expect(reader({ 'base-mainnet': node.url }).holdsStake(staker)).rejects.toThrow(ChainUnavailable);
  });

  it('is false without deployments', async () => {
    expect(await reader({}).holdsStake(staker)).toBe(false);
  });
});

describe('dailyCreditStake', () => {
  it('tells the stake of the wallet and of all, of the primary deployment', async () => {
    const stake = reader({ 'base-mainnet': chain.url, 'sandbox-testnet': await refusingUrl() });
    expect(await stake.dailyCreditStake(staker)).toEqual({
      staked: parseEther('1'),
      total: parseEther('4'),
      decimals: 18,
    });
    expect(await stake.dailyCreditStake(nobody)).toEqual({ staked: 0n, total: parseEther('4'), decimals: 18 });
  });

  it('reads other functions, as other contracts name them, and the first of their results', async () => {
    const functions = { dailyCreditStaked: 'unstaking', dailyCreditTotal: 'cooldown' };
    expect(await reader({ 'base-mainnet': chain.url }, 2_000, { functions }).dailyCreditStake(staker)).toEqual({
      staked: 0n,
      total: 604_800n,
      decimals: 18,
    });
  });

  it('is unavailable where the primary does not answer, whatever others would say', async () => {
    for (const url of [await refusingUrl(), (await scriptedNode(silent)).url, (await scriptedNode(failing)).url]) {
      await expect(
        reader({ 'sandbox-testnet': url, 'base-mainnet': chain.url }, 300).dailyCreditStake(staker),
      ).rejects.toThrow(ChainUnavailable);
    }
  });

  it('is nothing of nothing without deployments', async () => {
    expect(await reader({}).dailyCreditStake(staker)).toEqual({ staked: 0n, total: 0n, decimals: 18 });
  });
});
