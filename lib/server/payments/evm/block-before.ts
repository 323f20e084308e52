import type { PublicClient } from 'viem';

const GUESSES_MAX = 12;

/**
 * Returns a block that is not later than a time, and close to it if blocks come evenly. Extrapolates from the last
 * blocks, and goes farther back after each block that is too late.
 *
 * @param seconds Unix time
 * @param sampleBlocks how many blocks the first guess goes back
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
