import { SANDBOX_TESTNET } from '@/lib/protocol/networks';
import type { Address } from 'viem';
import { formatUnits, getAddress } from 'viem/utils';
import type { Chain, Chains } from './chain';
import { mined } from './chain-rpc';
import { FAUCET_TOKENS, hasContracts, mintTransaction, type TokenFunding, tokenFunding } from './tokens';

/**
 * Parses an EVM address in lower case, upper case or with a correct checksum. Returns the EIP-55 form.
 *
 * @throws {RangeError} with a message that says what is wrong
 */
export function parseAddress(text: unknown): Address {
  if (typeof text !== 'string') throw new RangeError('The address must be a string, 0x and 40 hexadecimal digits.');
  const digits = /^0x([0-9a-fA-F]{40})$/.exec(text)?.[1];
  if (digits === undefined) throw new RangeError('The address must be 0x and 40 hexadecimal digits.');
  const address = getAddress(`0x${digits.toLowerCase()}`);
  const hasOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  if (!hasOneCase && text !== address) {
    throw new RangeError('The checksum of the address (EIP-55) is wrong: a digit or the case of a letter is mistyped.');
  }
  return address;
}

/** Amounts are decimal strings in native units. */
interface Funding {
  network: string;
  chainId: number;
  amount: string;
  symbol: string;
  balance: string;
  /** Absent on chains without the sandbox's contracts. */
  tokens?: TokenFunding[];
}

interface FaucetReceipt {
  /** Address in its EIP-55 form. */
  address: Address;
  funded: Funding[];
  /** Chains on which the funding failed. Absent if there are none. */
  failed?: { network: string; chainId: number; error: string }[];
}

const FAUCET_AMOUNT = 100n;

const RECEIPT_WAIT_MS_MAX = 5_000;

/**
 * Funds an address on every running chain and on every chain with the sandbox's contracts. Starts a chain with these
 * contracts if it is not running.
 *
 * @throws {Error} if the sandbox's own chain failed
 */
export async function fundEverywhere(
  chains: Chains,
  address: Address,
  waitMsMax: number = RECEIPT_WAIT_MS_MAX,
): Promise<FaucetReceipt> {
  const own = chains.get(SANDBOX_TESTNET.slug);
  const chosen = [...chains.values()].filter((chain) => hasContracts(chain) || chain.started);
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
 * Adds 100 native units to an address's balance on one chain, and mints the sandbox's tokens if the chain has them.
 * Starts the chain if necessary. Resolves once the changes are on disk.
 *
 * Sends the units in a transaction, because `anvil_setBalance` and `anvil_addBalance` lose concurrent changes. The
 * transaction creates a contract that sends its value to the address with SELFDESTRUCT. No receiver can refuse such a
 * transfer.
 *
 * @throws {Error} if the chain cannot start or refuses the transaction
 */
async function fund(chain: Chain, address: Address, waitMsMax: number = RECEIPT_WAIT_MS_MAX): Promise<Funding> {
  const { rpc, faucet, state, afterChange } = await chain.ready();
  const { slug, chainId, nativeSymbol, nativeDecimals } = chain.network;
  const value = FAUCET_AMOUNT * 10n ** BigInt(nativeDecimals);
  const tokens = hasContracts(chain) ? FAUCET_TOKENS : [];
  const transactions = [
    { value: `0x${value.toString(16)}`, data: handOverCode(address) },
    ...tokens.map((token) => mintTransaction(token, address)),
  ];
  const hashes = await state.write(async () => {
    const sent = await Promise.all(transactions.map((transaction) => faucet.send(transaction)));
    await afterChange();
    return sent;
  });
  for (const hash of hashes) await mined(rpc, hash, waitMsMax);
  const balance = BigInt((await rpc('eth_getBalance', [address, 'latest'])) as string);
  const funding: Funding = {
    network: slug,
    chainId,
    amount: String(FAUCET_AMOUNT),
    symbol: nativeSymbol,
    balance: formatUnits(balance, nativeDecimals),
  };
  if (tokens.length > 0) funding.tokens = await Promise.all(tokens.map((token) => tokenFunding(rpc, token, address)));
  return funding;
}

function handOverCode(address: Address): string {
  return `0x73${address.slice(2).toLowerCase()}ff`;
}
