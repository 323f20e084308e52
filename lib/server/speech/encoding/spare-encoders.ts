import type { Emit, StreamEncoder } from './stream-encoder';

/** Time after which an unused spare encoder ends, to free its thread. */
const KEPT_MS = 5 * 60_000;

interface Spare {
  started: Promise<StreamEncoder>;
  /** Sends all of the encoder's output to `emit`, including output from before this call. */
  handTo(emit: Emit): void;
}

/**
 * Keeps one spare encoder ready, because encoders start slowly and each encodes only one file. After a job has encoded
 * its first samples, starts the next spare. Ends a spare that stays unused.
 */
export class SpareEncoders {
  #spare: Spare | null = null;
  #expiry: NodeJS.Timeout | undefined;

  constructor(
    private readonly start: (emit: Emit) => Promise<StreamEncoder>,
    private readonly keptMs = KEPT_MS,
  ) {}

  /**
   * Returns a started encoder.
   * @throws if the encoder cannot start
   */
  async take(emit: Emit): Promise<StreamEncoder> {
    const spare = this.#spare;
    this.#drop();
    const encoder = (await (spare && this.#hand(spare, emit))) ?? (await this.start(emit));
    return this.#restocking(encoder);
  }

  /** @returns null if the spare encoder failed to start. The caller then starts another */
  async #hand(spare: Spare, emit: Emit): Promise<StreamEncoder | null> {
    const encoder = await spare.started.catch(() => null);
    if (encoder) spare.handTo(emit);
    return encoder;
  }

  /** Starts the next spare only after the first samples, because starting it earlier would slow this encoder. */
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
      // Prevents an unhandled rejection. The job that takes this spare then starts another encoder.
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
