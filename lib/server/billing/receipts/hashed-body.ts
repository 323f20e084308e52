import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { type BodySink, type PushBody, type WholeBody, DelegatedCall } from '../../http/call';

/** Number of bytes to keep from an answer's beginning, where the completion's id is. */
const HEAD_BYTES_MAX = 2_048;
const SLICE_BYTES = 1_048_576;

interface HashedBytes {
  sha256: string;
  bytes: number;
}

export interface BodyDigest extends HashedBytes {
  head: Buffer;
  isComplete: boolean;
}

/** Hashes a whole body in slices, and lets other work run between slices. */
export async function digestOf(body: WholeBody): Promise<BodyDigest> {
  const digest = new RunningDigest();
  const parts = typeof body === 'string' ? [Buffer.from(body)] : body instanceof Uint8Array ? [body] : body;
  for (const part of parts) {
    for (let at = 0; at < part.byteLength; at += SLICE_BYTES) {
      if (at > 0) await turn();
      digest.add(part.subarray(at, at + SLICE_BYTES));
    }
  }
  return digest.end(true);
}

class RunningDigest {
  readonly #hash = createHash('sha256');
  readonly #head: Uint8Array[] = [];
  #headBytes = 0;
  #bytes = 0;

  add(bytes: Uint8Array): void {
    this.#hash.update(bytes);
    this.#bytes += bytes.byteLength;
    const missing = HEAD_BYTES_MAX - this.#headBytes;
    if (missing <= 0) return;
    // Copies the bytes, because writers may reuse their buffers.
    const copy = Uint8Array.from(bytes.subarray(0, missing));
    this.#head.push(copy);
    this.#headBytes += copy.byteLength;
  }

  end(isComplete: boolean): BodyDigest {
    return { sha256: this.#hash.digest('hex'), bytes: this.#bytes, head: Buffer.concat(this.#head), isComplete };
  }
}

/**
 * Hashes a `PushBody` while it is sent. Ends the body only after `over` resolves, so that the receipt exists when the
 * client has the answer.
 */
export class HashedBody implements PushBody {
  readonly #digest = new RunningDigest();
  #isOver = false;
  #isCancelled = false;

  /** @param over called once, with the digest; must not reject */
  constructor(
    private readonly body: PushBody,
    private readonly over: (digest: BodyDigest) => Promise<void>,
  ) {}

  get bytes(): number | undefined {
    return this.body.bytes;
  }

  get isComplete(): boolean {
    return this.body.isComplete === true;
  }

  start(sink: BodySink): void {
    this.body.start({
      write: (bytes) => {
        this.#digest.add(bytes);
        return sink.write(bytes);
      },
      end: () =>
        void this.#end(true).then(() => {
          if (!this.#isCancelled) sink.end();
        }),
      fail: () => {
        void this.#end(false);
        sink.fail();
      },
      drop: () => {
        void this.#end(false);
        sink.drop();
      },
    });
  }

  resume(): void {
    this.body.resume();
  }

  cancel(): void {
    this.#isCancelled = true;
    void this.#end(this.isComplete);
    this.body.cancel();
  }

  sent(): void {
    this.body.sent?.();
  }

  async #end(isComplete: boolean): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.over(this.#digest.end(isComplete));
  }
}

export class HashingCall extends DelegatedCall {
  #hashed: HashedBytes = hashOf(new Uint8Array());

  get hashed(): HashedBytes {
    return this.#hashed;
  }

  override readBody(bytesMax: number): Uint8Array | Promise<Uint8Array> {
    const reading = super.readBody(bytesMax);
    return reading instanceof Promise ? reading.then((bytes) => this.#note(bytes)) : this.#note(reading);
  }

  override async *streamBody(bytesMax: number): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256');
    let bytes = 0;
    try {
      for await (const part of super.streamBody(bytesMax)) {
        hash.update(part);
        bytes += part.byteLength;
        yield part;
      }
    } finally {
      this.#hashed = { sha256: hash.digest('hex'), bytes };
    }
  }

  #note(bytes: Uint8Array): Uint8Array {
    this.#hashed = hashOf(bytes);
    return bytes;
  }
}

function hashOf(bytes: Uint8Array): HashedBytes {
  return { sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.byteLength };
}
