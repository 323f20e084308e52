import { type Address, BaseError, parseAbi } from 'viem';
import { networkClient } from '../upstreams/nodes/network-client';
import type { StakingDeployment } from '../config/staking';
import type { RpcNetworks } from '../upstreams/nodes/networks';
import { ChainUnavailable, type DailyCreditStake, type StakeReader } from '../billing/allocation/stake-reader';

const TIMEOUT_MS = 5_000;
const DECIMALS_UNKNOWN = 18;
/** Address of Multicall3 on most EVM chains (github.com/mds1/multicall). The sandbox deploys it at the same address. */
const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11';

const DECIMALS_ABI = parseAbi(['function decimals() view returns (uint8)']);

/**
 * Reads stakes through the gateway's upstreams. If a contract is missing or fails, throws an error instead of returning
 * a stake of zero.
 * @param timeoutMs timeout of each read
 */
export function chainStakeReader(
  rpc: RpcNetworks,
  deployments: readonly StakingDeployment[],
  timeoutMs: number = TIMEOUT_MS,
): StakeReader {
  const primary = deployments.find((deployment) => deployment.primary);
  const read = <Answer>(
    { network }: StakingDeployment,
    ask: (client: ReturnType<typeof networkClient>) => Promise<Answer>,
  ): Promise<Answer> =>
    ask(networkClient(rpc, network, { timeoutMs })).catch((error: unknown) => {
      throw new ChainUnavailable(`Stakes on ${network} could not be read: ${reasonOf(error)}`, { cause: error });
    });
  return {
    holdsStake: (address) =>
      anyTrue(deployments.map((deployment) => read(deployment, (client) => stakedIn(client, deployment, address)))),
    dailyCreditStake: (address) =>
      primary
        ? read(primary, (client) => dailyCreditIn(client, primary, address))
        : Promise.resolve({ staked: 0n, total: 0n, decimals: DECIMALS_UNKNOWN }),
  };
}

async function stakedIn(
  client: ReturnType<typeof networkClient>,
  { staking, functions }: StakingDeployment,
  address: Address,
): Promise<boolean> {
  const staked = await client.readContract({
    address: staking,
    abi: balanceAbi(functions.staked),
    functionName: functions.staked,
    args: [address],
  });
  return (staked as bigint) > 0n;
}

/** Reads stake and total in one call, so that both come from the same block. */
async function dailyCreditIn(
  client: ReturnType<typeof networkClient>,
  { dailyCreditPool, dailyCreditToken, functions }: StakingDeployment,
  address: Address,
): Promise<DailyCreditStake> {
  const [staked, total, decimals] = await client.multicall({
    allowFailure: false,
    multicallAddress: MULTICALL3,
    contracts: [
      {
        address: dailyCreditPool,
        abi: balanceAbi(functions.dailyCreditStaked),
        functionName: functions.dailyCreditStaked,
        args: [address],
      },
      { address: dailyCreditPool, abi: totalAbi(functions.dailyCreditTotal), functionName: functions.dailyCreditTotal },
      { address: dailyCreditToken, abi: DECIMALS_ABI, functionName: 'decimals' },
    ],
  });
  return { staked: staked as bigint, total: total as bigint, decimals: decimals as number };
}

/**
 * Resolves to true as soon as one promise resolves to true, and to false if all resolve to false. Otherwise rejects
 * with the error of one promise.
 */
function anyTrue(answers: readonly Promise<boolean>[]): Promise<boolean> {
  return new Promise((resolve, reject) => {
    for (const answer of answers)
      void answer.then(
        (isTrue) => isTrue && resolve(true),
        () => undefined,
      );
    void Promise.allSettled(answers).then((outcomes) => {
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failed) reject(failed.reason as Error);
      else resolve(false);
    });
  });
}

/** Returns the ABI of a view function that takes a wallet. Declares only the first return value. */
function balanceAbi(name: string) {
  return [
    {
      type: 'function',
      name,
      stateMutability: 'view',
      inputs: [{ name: 'wallet', type: 'address' }],
      outputs: [{ name: '', type: 'uint256' }],
    },
  ] as const;
}

function totalAbi(name: string) {
  return [
    { type: 'function', name, stateMutability: 'view', inputs: [], outputs: [{ name: '', type: 'uint256' }] },
  ] as const;
}

function reasonOf(error: unknown): string {
  if (error instanceof BaseError) return error.shortMessage;
  return error instanceof Error ? error.message : 'unknown fault';
}
