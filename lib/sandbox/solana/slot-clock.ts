import { createHash } from 'node:crypto';
import { toBase58 } from './address';

export interface Genesis {
  /** Start of slot 0 in Unix milliseconds. */
  timeMs: number;
  /** 32 random bytes that make the chain's hashes unique. Not secret. */
  seed: Uint8Array;
}

export const SLOT_MS = 400;
/** Number of blocks for which a blockhash stays valid (Agave, MAX_PROCESSING_AGE). */
export const BLOCKHASH_AGE_SLOTS_MAX = 150;

/**
 * Computes slots and blockhashes from the time, without timer or storage. A slot lasts 400 ms and always has a block.
 * Slots never go back, even if the machine's clock does.
 */
export class SlotClock {
  readonly genesisHash: Buffer;
  readonly #slots = new Map<string, number>();
  #knownFrom = 0;
  #knownTo = -1;
  #slot: number;

  /** @param slotMin newest slot of earlier runs */
  constructor(
    private readonly genesis: Genesis,
    slotMin: number,
    private readonly nowMs: () => number = Date.now,
  ) {
    this.#slot = slotMin;
    this.genesisHash = createHash('sha256').update('genesis').update(genesis.seed).digest();
  }

  now(): number {
    this.#slot = Math.max(this.#slot, Math.floor((this.nowMs() - this.genesis.timeMs) / SLOT_MS));
    return this.#slot;
  }

  /** Returns the milliseconds until the next slot, at least 1. */
  untilNextMs(): number {
    return Math.max(1, this.genesis.timeMs + (this.now() + 1) * SLOT_MS - this.nowMs());
  }

  /** Returns a slot's start in Unix seconds. */
  timeOf(slot: number): number {
    return Math.floor((this.genesis.timeMs + slot * SLOT_MS) / 1_000);
  }

  blockhashOf(slot: number): Buffer {
    const number = Buffer.alloc(8);
    number.writeBigUInt64LE(BigInt(slot));
    return createHash('sha256').update('block').update(this.genesis.seed).update(number).digest();
  }

  blockhashText(slot: number): string {
    return toBase58(this.blockhashOf(slot));
  }

  /** Returns whether a new transaction may use this blockhash. */
  isRecent(blockhash: Uint8Array): boolean {
    this.#extend();
    return this.#slots.has(Buffer.from(blockhash).toString('latin1'));
  }

  /** Updates the map to the hashes of the current slot and the 150 before it. */
  #extend(): void {
    const now = this.now();
    const from = Math.max(0, now - BLOCKHASH_AGE_SLOTS_MAX);
    for (let slot = this.#knownFrom; slot <= Math.min(this.#knownTo, from - 1); slot += 1)
      this.#slots.delete(this.blockhashOf(slot).toString('latin1'));
    for (let slot = Math.max(from, this.#knownTo + 1); slot <= now; slot += 1)
      this.#slots.set(this.blockhashOf(slot).toString('latin1'), slot);
    this.#knownFrom = from;
    this.#knownTo = now;
  }
}
