import { type Hex, pad, parseAbi, type PublicClient, toEventSelector, toHex } from 'viem';
import { isRefusal } from './evm-sender';

const BALANCE_ABI = parseAbi(['function balanceOf(address) view returns (uint256)']);
const TRANSFER = toEventSelector('Transfer(address,address,uint256)');

/** A transfer to the receiver, as a token's event tells it. */
export interface ToldTransfer {
  token: `0x${string}`;
  receiver: `0x${string}`;
  block: bigint;
  value: bigint;
}

/**
 * How much of a transfer came in: what its event says, unless the receiver's balance grew in that block by less than
 * all events of the block say, as with a token that keeps a fee or lies. Then each has its share, rounded down, so that
 * all shares together are never more than what came in. Where no node has the balances of that block any more, the
 * event is believed: the token is the operator's choice.
 * @throws what the client throws where the chain does not answer
 */
export async function receiverGain(client: PublicClient, transfer: ToldTransfer): Promise<bigint> {
  const { token, receiver, block, value } = transfer;
  const balanceAt = (blockNumber: bigint): Promise<bigint> =>
    client.readContract({ address: token, abi: BALANCE_ABI, functionName: 'balanceOf', args: [receiver], blockNumber });
  const balances = await Promise.all([balanceAt(block - 1n), balanceAt(block)]).catch((error: unknown) => {
    if (isRefusal(error)) return null;
    throw error;
  });
  if (!balances) return value;
  const [before, after] = balances;
  const [told, left] = await Promise.all([
    sumOfTransfers(client, transfer, [null, pad(receiver)]),
    sumOfTransfers(client, transfer, [pad(receiver), null]),
  ]);
  const cameIn = after - before + left;
  if (cameIn >= told) return value;
  return cameIn <= 0n || told === 0n ? 0n : (value * cameIn) / told;
}

async function sumOfTransfers(
  client: PublicClient,
  { token, block }: ToldTransfer,
  [from, to]: readonly [Hex | null, Hex | null],
): Promise<bigint> {
  const at = toHex(block);
  const logs = await client.request({
    method: 'eth_getLogs',
    params: [{ address: token, topics: [TRANSFER, from, to], fromBlock: at, toBlock: at }],
  });
  return logs.reduce((sum, { data }) => sum + (/^0x[0-9a-f]{64}$/i.test(data) ? BigInt(data) : 0n), 0n);
}
