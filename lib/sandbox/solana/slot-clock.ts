import { createHash } from 'node:crypto';
import { toBase58 } from './address';

/** What a chain is born with. */
export interface Genesis {
  /** When slot 0 began, in ms since 1970. */
  timeMs: number;
  /** 32 random bytes, no secret, that make the chain's hashes its own. */
  seed: Uint8Array;
}

/** The time that Solana aims at for a slot. */
export const SLOT_MS = 400;
/** A blockhash is good for the 150 blocks after its own (Agave, MAX_PROCESSING_AGE). */
export const BLOCKHASH_AGE_SLOTS_MAX = 150;

/**
 * Slots and their blockhashes as functions of the time: a slot passes every 400 ms whether or not
 * anybody looks, and nothing has to run or be stored for it. Every slot has a block. Slots never go
 * back, even where the machine's clock does.
 */
export class SlotClock {
  readonly genesisHash: Buffer;
  readonly #slots = new Map<string, number>();
  #knownFrom = 0;
  #knownTo = -1;
  #slot: number;

  /** @param slotMin a slot that has been seen, from an earlier run */
  constructor(
    private readonly genesis: Genesis,
    slotMin: number,
    private readonly nowMs: () => number = Date.now,
  ) {
    this.#slot = slotMin;
    this.genesisHash = createHash('sha256').update('genesis').update(genesis.seed).digest();
  }

  /** The slot that is now. */
  now(): number {
    this.#slot = Math.max(this.#slot, Math.floor((this.nowMs() - this.genesis.timeMs) / SLOT_MS));
    return this.#slot;
  }

  /** How long until the next slot, in ms, more than 0. */
  untilNextMs(): number {
    return Math.max(1, this.genesis.timeMs + (this.now() + 1) * SLOT_MS - this.nowMs());
  }

  /** When a slot began, in seconds since 1970. */
  timeOf(slot: number): number {
    return Math.floor((this.genesis.timeMs + slot * SLOT_MS) / 1_000);
  }

  /** The hash of a slot's block. */
  blockhashOf(slot: number): Buffer {
    const number = Buffer.alloc(8);
    number.writeBigUInt64LE(BigInt(slot));
    return createHash('sha256').update('block').update(this.genesis.seed).update(number).digest();
  }

  /** The same in base58. */
  blockhashText(slot: number): string {
    return toBase58(this.blockhashOf(slot));
  }

  /** Whether a transaction may carry this blockhash now. */
  isRecent(blockhash: Uint8Array): boolean {
    this.#extend();
    return this.#slots.has(Buffer.from(blockhash).toString('latin1'));
  }

  /** Keeps the hashes of the current slot and the 150 before it. */
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
