import { apiError } from '@/lib/protocol/errors';
import type { WholeBody } from '../call';
import { Arrival, type ArrivalDesk } from './arrival';
import { Holdings } from './holdings';
import { Reading } from './reading';

/** What is smaller is not counted: a connection holds one such thing at a time, and an entry here would cost more than it. */
export const COUNTED_BYTES_MIN = 65_536;
/** Beyond the limit for answers that wait: what answers may come to that cannot wait. */
const OVERDRAFT = 1.5;
/** When this share of the answers waits that may, callers with several calls under way are refused. */
const CROWDED_SHARE = 1 / 8;
const SEVERAL_CALLS = 4;
const NO_CALLS = { of: () => 0 };
const RETRY_AFTER_SECONDS = 5;
const SWEEP_MS = 1_000;

export interface HeldMemoryLimits {
  /** Of answers together. */
  answersBytesMax: number;
  /** Of what one caller has not read. */
  callerBytesMax: number;
  /** Answers that may wait for room. */
  waitingMax: number;
  /** For a reader to take a part of what waits for it. */
  slowReaderMs: number;
  /** The same while others wait for the memory. */
  slowReaderPressedMs: number;
}

/** What is held now, and what became of what was refused, since the start: numbers for operators. */
export interface HeldMemoryFigures {
  heldBytes: number;
  /** Of these, in answers that have not come to their end. */
  arrivingBytes: number;
  /** Answers that wait for room. */
  waiting: number;
  /** Readers of large answers. */
  readers: number;
  /** Answers that ever had to wait. */
  waitedTotal: number;
  /** Calls that were refused for the sum, and for what their caller had not read. */
  refusedTotal: number;
  callerRefusedTotal: number;
  /** Readers of large answers who were given up. */
  givenUpTotal: number;
}

/**
 * The memory that answers are held in, from their first byte off the upstream to the last that their reader took.
 * Answers of a kilobyte pass by it; of large ones it bounds the sum. An answer that comes when the sum is reached is
 * not read on (its upstream waits, and in the end its caller gets 503), so that there is no deadlock: where nothing is
 * held but answers that all wait, the oldest goes on beyond the sum. What was held is given back to the system when its
 * reader has it or has left, not when a collector comes by.
 */
export class HeldMemory implements ArrivalDesk {
  readonly #holdings = new Holdings((bytes) => this.#freed(bytes));
  readonly #queue: Arrival[] = [];
  readonly #arriving = new Set<Arrival>();
  readonly #readings = new Set<Reading>();
  readonly #unreadOf = new Map<number, number>();
  #heldBytes = 0;
  #sweep: NodeJS.Timeout | null = null;
  #waitedTotal = 0;
  #refusedTotal = 0;
  #callerRefusedTotal = 0;
  #givenUpTotal = 0;

  constructor(
    readonly limits: HeldMemoryLimits,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get figures(): HeldMemoryFigures {
    return {
      heldBytes: this.#heldBytes,
      arrivingBytes: this.#arrivingBytes,
      waiting: this.#queue.length,
      readers: this.#readings.size,
      waitedTotal: this.#waitedTotal,
      refusedTotal: this.#refusedTotal,
      callerRefusedTotal: this.#callerRefusedTotal,
      givenUpTotal: this.#givenUpTotal,
    };
  }

  /**
   * Lets new work begin, before anything is read, reserved or asked for it. While many answers wait, a caller with few
   * calls under way is still served: most answers are small, and the waiting ones are others'.
   * @param accountId of the caller
   * @param underWay how many calls of an account are under way; none where absent
   * @throws ApiError OVERLOADED
   */
  admit(accountId: number, underWay: { of(accountId: number): number } = NO_CALLS): void {
    if (this.#heldBytes === 0) return;
    const { answersBytesMax, callerBytesMax, waitingMax } = this.limits;
    const waiting = this.#queue.length;
    const isCrowded = waiting >= waitingMax * CROWDED_SHARE && underWay.of(accountId) >= SEVERAL_CALLS;
    if (isCrowded || waiting >= waitingMax || this.#heldBytes >= answersBytesMax * OVERDRAFT) {
      this.#refusedTotal++;
      throw overloaded();
    }
    if ((this.#unreadOf.get(accountId) ?? 0) < callerBytesMax) return;
    this.#callerRefusedTotal++;
    throw overloaded('Too much of what this caller asked for has not been read yet.');
  }

  /** An answer begins to come that is large. @param onRoom told when a claim that had to wait is granted */
  arrive(onRoom: () => void): Arrival {
    const arrival = new Arrival(this, onRoom);
    this.#arriving.add(arrival);
    return arrival;
  }

  /** Notes that bytes stay for their own reasons, as those of a cache do: they are neither counted nor freed here. */
  exempt(bytes: Uint8Array): void {
    this.#holdings.exempt(bytes);
  }

  /** Keeps bytes from being freed early, where somebody has them who does not say when he is through. */
  pin(body: WholeBody): void {
    this.#holdings.pin(body);
  }

  /** So many more have the bytes of an answer, each of whom releases it. */
  share(bytes: Uint8Array, more: number): void {
    this.#holdings.share(bytes, more);
  }

  /** Whoever had an answer does not need it any more. Without effect on what is not counted. */
  release(body: WholeBody): void {
    this.#holdings.release(body);
  }

  /**
   * A large answer begins to go out, which its reader then holds; `end` releases it.
   * @param accountId of its caller; null where that is nobody's
   * @param giveUp disconnects a reader who takes nothing
   */
  read(body: WholeBody, accountId: number | null, giveUp: () => void): Reading {
    const { bytes, uncounted } = this.#holdings.measure(body);
    this.#heldBytes += uncounted;
    if (accountId !== null) this.#unreadOf.set(accountId, (this.#unreadOf.get(accountId) ?? 0) + bytes);
    const reading: Reading = new Reading(this.now, giveUp, (mayFree) => {
      this.#readings.delete(reading);
      if (accountId !== null) this.#readBy(accountId, bytes);
      if (!mayFree) this.#holdings.pin(body);
      this.#holdings.release(body);
      if (uncounted > 0) this.#freed(uncounted);
    });
    this.#readings.add(reading);
    this.#sweep ??= setInterval(() => this.#giveUpSlow(), Math.min(SWEEP_MS, this.limits.slowReaderPressedMs)).unref();
    return reading;
  }

  /** Of `Arrival`: more of an answer is to come. @returns whether there is room now */
  claim(arrival: Arrival, bytes: number): boolean {
    if (this.#queue.length === 0 && this.#fits(bytes)) {
      this.#heldBytes += bytes;
      return true;
    }
    this.#waitedTotal++;
    this.#queue.push(arrival);
    this.#grant();
    return !arrival.isWaiting;
  }

  /** Of `Arrival`: an answer is whole, in these bytes. */
  completed(arrival: Arrival, bytes: Uint8Array): void {
    this.#leave(arrival);
    this.#heldBytes += bytes.byteLength - arrival.claimedBytes;
    this.#holdings.hold(bytes);
    this.#grant();
  }

  /** Of `Arrival`: nobody waits for it any more. */
  dropped(arrival: Arrival): void {
    this.#leave(arrival);
    this.#freed(arrival.claimedBytes);
  }

  #leave(arrival: Arrival): void {
    this.#arriving.delete(arrival);
    const index = this.#queue.indexOf(arrival);
    if (index >= 0) this.#queue.splice(index, 1);
  }

  close(): void {
    if (this.#sweep) clearInterval(this.#sweep);
    this.#sweep = null;
  }

  get #arrivingBytes(): number {
    let sum = 0;
    for (const { claimedBytes } of this.#arriving) sum += claimedBytes;
    return sum;
  }

  #fits(bytes: number): boolean {
    return this.#heldBytes === 0 || this.#heldBytes + bytes <= this.limits.answersBytesMax;
  }

  #freed(bytes: number): void {
    this.#heldBytes -= bytes;
    this.#grant();
  }

  #readBy(accountId: number, bytes: number): void {
    const left = (this.#unreadOf.get(accountId) ?? 0) - bytes;
    if (left > 0) this.#unreadOf.set(accountId, left);
    else this.#unreadOf.delete(accountId);
  }

  /** In turn; and where all that is held waits for more, the oldest of these goes on. */
  #grant(): void {
    for (let next = this.#queue[0]; next && this.#fits(next.wantedBytes); next = this.#queue[0]) this.#give(next);
    if (this.#queue.length === 0 || this.#heldBytes > this.#arrivingBytes) return;
    for (const arrival of this.#arriving) if (arrival.claimedBytes > 0 && !arrival.isWaiting) return;
    for (const arrival of this.#arriving) if (arrival.isWaiting) return this.#give(arrival);
  }

  #give(arrival: Arrival): void {
    this.#queue.splice(this.#queue.indexOf(arrival), 1);
    this.#heldBytes += arrival.wantedBytes;
    arrival.granted();
  }

  #giveUp(reading: Reading): void {
    this.#givenUpTotal++;
    reading.isGivenUp = true;
    reading.progressed();
    reading.giveUp();
  }

  #giveUpSlow(): void {
    const { slowReaderMs, slowReaderPressedMs, answersBytesMax } = this.limits;
    const isPressed = this.#queue.length > 0 || this.#heldBytes >= answersBytesMax;
    const patienceMs = isPressed ? slowReaderPressedMs : slowReaderMs;
    const now = this.now();
    for (const reading of [...this.#readings]) {
      if (now - reading.progressAt < patienceMs) continue;
      // Whoever was to say that the connection has closed is gone too.
      if (reading.isGivenUp) reading.end(false);
      else this.#giveUp(reading);
    }
    if (this.#readings.size === 0) this.close();
  }
}

function overloaded(message?: string): Error {
  return apiError('OVERLOADED', {
    ...(message ? { message } : {}),
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  });
}
