import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from 'viem';
import { formatUnits } from 'viem/utils';
import { SANDBOX_TESTNET } from '@/lib/protocol/networks';
import type { Chain } from './chain';
import type { ChainRpc } from './chain-rpc';
import type { Chains } from './chains';

/** What an address got on one chain. Amounts are decimal strings in native units. */
export interface Funding {
  network: string;
  chainId: number;
  amount: string;
  symbol: string;
  /** What the address holds now. */
  balance: string;
}

/** What a call of the faucet did. */
export interface FaucetReceipt {
  /** With its EIP-55 checksum. */
  address: Address;
  funded: Funding[];
  /** Chains that run but did not take it; absent if there are none. */
  failed?: { network: string; chainId: number; error: string }[];
}

/** Native units a call gives. */
export const FAUCET_AMOUNT = 100n;

const RECEIPT_WAIT_MS_MAX = 5_000;

/**
 * Funds an address on the sandbox's own chain, started if need be, and on every chain that runs.
 *
 * @throws {Error} in a sentence, where the sandbox's own chain could not
 */
export async function fundEverywhere(chains: Chains, address: Address, waitMsMax: number = RECEIPT_WAIT_MS_MAX): Promise<FaucetReceipt> {
  const own = chains.get(SANDBOX_TESTNET.slug);
  const chosen = [...chains.values()].filter((chain) => chain === own || chain.started);
  const outcomes = await Promise.all(
    chosen.map((chain) =>
      fund(chain, address, waitMsMax).catch((error: Error) => {
        if (chain === own) throw error;
        return { network: chain.network.slug, chainId: chain.network.chainId, error: error.message };
      }),
    ),
  );
  const failed = outcomes.filter((outcome) => 'error' in outcome);
  return { address, funded: outcomes.filter((outcome) => 'amount' in outcome), ...(failed.length > 0 && { failed }) };
}

/**
 * Adds 100 native units to an address's balance on one chain, started if need be, and resolves when
 * they are there.
 *
 * They are sent in a transaction, because only the chain itself can add: setting a balance, and
 * anvil's own `anvil_addBalance` too, reads and then writes, and loses what a transaction or another
 * call changed in between. The transaction creates a contract that hands its value over by
 * SELFDESTRUCT, which also reaches contracts that refuse a plain transfer.
 *
 * @throws {Error} in a sentence, where the chain cannot start or does not take the transaction
 */
export async function fund(chain: Chain, address: Address, waitMsMax: number = RECEIPT_WAIT_MS_MAX): Promise<Funding> {
  const { rpc, faucet } = await chain.ready();
  const { slug, chainId, nativeSymbol, nativeDecimals } = chain.network;
  const value = FAUCET_AMOUNT * 10n ** BigInt(nativeDecimals);
  const hash = await faucet.send({ value: `0x${value.toString(16)}`, data: handOverCode(address) });
  await mined(rpc, hash, waitMsMax);
  const balance = BigInt((await rpc('eth_getBalance', [address, 'latest'])) as string);
  return { network: slug, chainId, amount: String(FAUCET_AMOUNT), symbol: nativeSymbol, balance: formatUnits(balance, nativeDecimals) };
}

/** PUSH20 address, SELFDESTRUCT. */
function handOverCode(address: Address): string {
  return `0x73${address.slice(2).toLowerCase()}ff`;
}

async function mined(rpc: ChainRpc, hash: string, waitMsMax: number): Promise<void> {
  const deadlineMs = performance.now() + waitMsMax;
  while (performance.now() < deadlineMs) {
    const receipt = (await rpc('eth_getTransactionReceipt', [hash])) as { status: string } | null;
    if (receipt?.status === '0x1') return;
    if (receipt) throw new Error(`The faucet's transaction ${hash} failed.`);
    await sleep(5);
  }
  throw new Error(`The faucet's transaction ${hash} waits to be mined: mining may have been turned off on this chain.`);
}
