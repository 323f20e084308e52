import type { Emit, StreamEncoder } from './stream-encoder';

/** How long one is kept that nobody asks for: each has a thread. */
const KEPT_MS = 5 * 60_000;

interface Spare {
  started: Promise<StreamEncoder>;
  /** Says where its bytes go: those that came before, and all from now on. */
  handTo(emit: Emit): void;
}

/**
 * Encoders that take long to start: one is started ahead, as soon as the one before it has begun to work, and kept for
 * a while. Whoever comes when there is none waits for its own. Each is used once.
 */
export class SpareEncoders {
  #spare: Spare | null = null;
  #expiry: NodeJS.Timeout | undefined;

  constructor(
    private readonly start: (emit: Emit) => Promise<StreamEncoder>,
    private readonly keptMs = KEPT_MS,
  ) {}

  /** An encoder of the caller's own. @throws what starting it throws */
  async take(emit: Emit): Promise<StreamEncoder> {
    const spare = this.#spare;
    this.#drop();
    const encoder = (await (spare && this.#hand(spare, emit))) ?? (await this.start(emit));
    return this.#restocking(encoder);
  }

  /** @returns null for one that could not be started: another may. */
  async #hand(spare: Spare, emit: Emit): Promise<StreamEncoder | null> {
    const encoder = await spare.started.catch(() => null);
    if (encoder) spare.handTo(emit);
    return encoder;
  }

  /** The next is started after the first samples are encoded: until then it would only slow this one down. */
  #restocking(encoder: StreamEncoder): StreamEncoder {
    return {
      write: async (samples) => {
        await encoder.write(samples);
        this.#restock();
      },
      finish: async () => {
        await encoder.finish();
        this.#restock();
      },
      cancel: () => encoder.cancel(),
    };
  }

  #restock(): void {
    if (!this.#spare) {
      const early: Uint8Array<ArrayBuffer>[] = [];
      let deliver: Emit = (bytes) => void early.push(bytes);
      const started = this.start((bytes) => deliver(bytes));
      // It is told to whoever takes it.
      started.catch(() => undefined);
      const handTo = (emit: Emit) => {
        early.splice(0).forEach(emit);
        deliver = emit;
      };
      this.#spare = { started, handTo };
    }
    this.#expiry?.refresh();
    this.#expiry ??= setTimeout(() => this.#expire(), this.keptMs).unref();
  }

  #expire(): void {
    const spare = this.#spare;
    this.#drop();
    void spare?.started.then((encoder) => encoder.cancel()).catch(() => undefined);
  }

  #drop(): void {
    this.#spare = null;
    clearTimeout(this.#expiry);
    this.#expiry = undefined;
  }
}
