/**
 * Encoder of one file or stream, from 24 kHz mono samples. It passes its bytes to an `Emit`, which then owns the
 * buffer.
 */
export interface StreamEncoder {
  write(samples: Int16Array<ArrayBuffer>): Promise<void> | void;
  /** Emits the remaining bytes. */
  finish(): Promise<void> | void;
  cancel(): Promise<void> | void;
}

export type Emit = (bytes: Uint8Array<ArrayBuffer>) => void;
