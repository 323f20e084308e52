import type { PublicClient } from 'viem';

/** Guesses at the block of a time, each of which asks for one block. */
const GUESSES_MAX = 12;

/**
 * A block that is not later than a time, and not much earlier where the chain's blocks come evenly: found by how long
 * the last blocks took, farther back each time that was too late. The first block where it is not found so.
 * @param seconds unix time
 * @param sampleBlocks over which to measure
 */
export async function blockBefore(client: PublicClient, seconds: number, sampleBlocks: bigint): Promise<bigint> {
  const latest = await client.getBlock({ blockTag: 'latest' });
  let sample = sampleBlocks < latest.number ? sampleBlocks : latest.number;
  for (let guess = 0; guess < GUESSES_MAX && sample > 0n; guess++) {
    const block = await client.getBlock({ blockNumber: latest.number - sample });
    if (Number(block.timestamp) <= seconds) return block.number;
    const secondsPerBlock = Math.max(Number(latest.timestamp - block.timestamp) / Number(sample), 0.01);
    const needed = BigInt(Math.ceil(((Number(latest.timestamp) - seconds) / secondsPerBlock) * 1.1));
    sample = needed > sample * 2n ? needed : sample * 2n;
    if (sample >= latest.number) return 0n;
  }
  return 0n;
}
