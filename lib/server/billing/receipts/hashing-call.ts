import { createHash } from 'node:crypto';
import { DelegatedCall } from '../../http/call';
import type { HashedBytes } from './hashed-body';

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
