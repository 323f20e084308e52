import { apiError } from '@/lib/protocol/errors';
import type { WholeBody } from '../call';
import { Arrival, type ArrivalDesk, Reading } from './large-answers';
import { Holdings } from './holdings';

/** Smallest buffer that counts towards the limits. A connection holds only one smaller buffer at a time. */
export const COUNTED_BYTES_MIN = 65_536;
const OVERDRAFT = 1.5;
/** Share of `waitingMax` above which a caller who has several running calls is refused. */
const CROWDED_SHARE = 1 / 8;
const SEVERAL_CALLS = 4;
const NO_CALLS = { of: () => 0 };
const RETRY_AFTER_SECONDS = 5;
const SWEEP_MS = 1_000;

export interface HeldMemoryLimits {
  answersBytesMax: number;
  /** Maximum bytes of one caller's answers that the caller has not read yet. */
  callerBytesMax: number;
  waitingMax: number;
  /** Milliseconds after which a reader that accepts none of its answer is disconnected. */
  slowReaderMs: number;
  /**
   * Replaces `slowReaderMs` while answers wait for memory or fill it. It is shorter, so that memory is freed earlier.
   */
  slowReaderPressedMs: number;
}

interface HeldMemoryFigures {
  heldBytes: number;
  arrivingBytes: number;
  waiting: number;
  readers: number;
  waitedTotal: number;
  /** Number of calls refused because answers held too much memory or too many waited. */
  refusedTotal: number;
  /** Number of calls refused because their caller had too many unread bytes. */
  callerRefusedTotal: number;
  /** Number of readers disconnected because they accepted a large answer too slowly. */
  givenUpTotal: number;
}

/**
 * Limits the memory of answers, from the first byte that arrives from the upstream to the last byte that the reader
 * accepts. Small answers are not counted. At the limit, arriving answers are not read, so their upstreams wait. An
 * answer that waits too long becomes a 503. To avoid deadlock, the oldest answer may exceed the limit if all held
 * answers wait. When the reader has the answer or has disconnected, the answer's memory is freed without garbage
 * collection.
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
   * Admits new work before anything is read or reserved. While many answers wait, refuses callers with several running
   * calls. Other callers may call up to the limits, because most answers are small.
   * @param underWay returns an account's number of running calls. Default: 0
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
    throw overloaded('This caller has too many large answers that it has not read yet.');
  }

  /**
   * Begins a large answer that arrives from an upstream.
   * @param onRoom called when memory is granted to a claim that had to wait
   */
  arrive(onRoom: () => void): Arrival {
    const arrival = new Arrival(this, onRoom);
    this.#arriving.add(arrival);
    return arrival;
  }

  /** Exempts bytes from counting and freeing, because another object, such as a cache, owns them. */
  exempt(bytes: Uint8Array): void {
    this.#holdings.exempt(bytes);
  }

  /** Leaves a body's memory to the garbage collector, because someone may still read the body after `release`. */
  pin(body: WholeBody): void {
    this.#holdings.pin(body);
  }

  /** Adds holders of an answer's bytes. Each holder must release the bytes. */
  share(bytes: Uint8Array, more: number): void {
    this.#holdings.share(bytes, more);
  }

  /** Frees an answer's memory. Does nothing for a body that is not counted. */
  release(body: WholeBody): void {
    this.#holdings.release(body);
  }

  /**
   * Begins sending a large answer to its reader. Calling `end` on the result releases the answer.
   * @param accountId null if the caller has no account
   * @param giveUp disconnects a reader that accepts nothing
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

  /** @returns whether the answer may hold this many more bytes */
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

  completed(arrival: Arrival, bytes: Uint8Array): void {
    this.#leave(arrival);
    this.#heldBytes += bytes.byteLength - arrival.claimedBytes;
    this.#holdings.hold(bytes);
    this.#grant();
  }

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

  /**
   * Grants waiting claims in order, as long as they fit. If every answer that holds memory is waiting, grants the
   * oldest claim even if it does not fit.
   */
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
      // An earlier call of this function disconnected the reader, but no event reported that the connection closed.
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
