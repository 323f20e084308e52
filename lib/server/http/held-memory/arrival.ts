/** Who gives memory to answers that come. */
export interface ArrivalDesk {
  claim(arrival: Arrival, bytes: number): boolean;
  completed(arrival: Arrival, bytes: Uint8Array): void;
  dropped(arrival: Arrival): void;
}

/** A large answer on its way in: claims memory before it takes it, and waits where there is none. */
export class Arrival {
  /** What it was given so far. */
  claimedBytes = 0;
  /** What it waits for. */
  wantedBytes = 0;
  #isOver = false;

  constructor(
    private readonly desk: ArrivalDesk,
    private readonly onRoom: () => void,
  ) {}

  get isWaiting(): boolean {
    return this.wantedBytes > 0;
  }

  /** Asks for more. @returns whether there is room now; else `onRoom` is called when there is */
  claim(bytes: number): boolean {
    this.wantedBytes += bytes;
    if (this.wantedBytes > bytes) return false;
    if (!this.desk.claim(this, bytes)) return false;
    if (this.isWaiting) this.#take();
    return true;
  }

  /** Of the desk: what it waits for is its own. */
  granted(): void {
    this.#take();
    this.onRoom();
  }

  /** It is whole, and counted as these bytes from now on, until they are released. */
  complete(bytes: Uint8Array): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.wantedBytes = 0;
    this.desk.completed(this, bytes);
  }

  /** It is given up. Without effect once it is whole. */
  drop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.wantedBytes = 0;
    this.desk.dropped(this);
  }

  #take(): void {
    this.claimedBytes += this.wantedBytes;
    this.wantedBytes = 0;
  }
}
