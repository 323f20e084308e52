import type { Abi, Address, Hex } from 'viem';
import { concatHex, encodeAbiParameters, getCreate2Address, keccak256, stringToHex } from 'viem/utils';
import { SANDBOX_CONTRACTS, type SandboxContract } from '@/lib/protocol/sandbox-contracts';
import authorizableUsd from '@/contracts/artifacts/AuthorizableUsd.json';
import mintableToken from '@/contracts/artifacts/MintableToken.json';
import smartWalletFactory from '@/contracts/artifacts/SmartWalletFactory.json';
import staking from '@/contracts/artifacts/Staking.json';
import type { ChainRpc } from './chain-rpc';
import { FAUCET_ADDRESS } from './faucet-account';

/**
 * Deterministic deployment proxy (github.com/Arachnid/deterministic-deployment-proxy), present on almost every chain.
 * Takes a 32-byte salt and creation code for CREATE2.
 */
const DEPLOYER_ADDRESS = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
const DEPLOYER_CODE =
  '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3';

const SALT = keccak256(stringToHex('turnpike sandbox 1'));

/** Must exceed the gateway's epoch of one day. */
const UNSTAKING_COOLDOWN_SECONDS = 7n * 24n * 60n * 60n;

/** Contract of the sandbox: creation code with constructor arguments, and CREATE2 address. */
interface Deployment {
  contract: SandboxContract;
  creationCode: Hex;
  address: Address;
}

/** Contracts in order of deployment. The faucet may mint every token. */
export const DEPLOYMENTS: readonly Deployment[] = [
  deployment('stakeToken', mintableToken, ['Turnpike Stake', 'TPK', FAUCET_ADDRESS]),
  deployment('staking', staking, [SANDBOX_CONTRACTS.stakeToken, UNSTAKING_COOLDOWN_SECONDS]),
  deployment('dailyCreditToken', mintableToken, ['Turnpike Toll', 'TOLL', FAUCET_ADDRESS]),
  deployment('dailyCreditPool', staking, [SANDBOX_CONTRACTS.dailyCreditToken, UNSTAKING_COOLDOWN_SECONDS]),
  deployment('usdc', authorizableUsd, [FAUCET_ADDRESS]),
  deployment('smartWalletFactory', smartWalletFactory, []),
];

function deployment(
  contract: SandboxContract,
  artifact: { abi: unknown; bytecode: string },
  args: readonly unknown[],
): Deployment {
  const inputs = (artifact.abi as Abi).find(({ type }) => type === 'constructor') as
    | { inputs: readonly { type: string }[] }
    | undefined;
  const creationCode = concatHex([artifact.bytecode as Hex, encodeAbiParameters(inputs?.inputs ?? [], args)]);
  return {
    contract,
    creationCode,
    address: getCreate2Address({ from: DEPLOYER_ADDRESS, salt: SALT, bytecode: creationCode }),
  };
}

/**
 * Deploys the sandbox's missing contracts in real transactions.
 *
 * @param send sends a transaction and resolves when it is mined
 * @returns true if it deployed a contract
 */
export async function deployContracts(
  rpc: ChainRpc,
  send: (transaction: Readonly<Record<string, string>>) => Promise<unknown>,
): Promise<boolean> {
  const codes = await Promise.all(DEPLOYMENTS.map(({ address }) => rpc('eth_getCode', [address, 'latest'])));
  const missing = DEPLOYMENTS.filter((_, index) => codes[index] === '0x');
  if (missing.length === 0) return false;
  if ((await rpc('eth_getCode', [DEPLOYER_ADDRESS, 'latest'])) === '0x')
    await rpc('anvil_setCode', [DEPLOYER_ADDRESS, DEPLOYER_CODE]);
  for (const { creationCode } of missing) await send({ to: DEPLOYER_ADDRESS, data: concatHex([SALT, creationCode]) });
  return true;
}
