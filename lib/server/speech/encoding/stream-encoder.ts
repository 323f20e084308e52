/** One file or stream in the making, from 24 kHz mono samples. Its bytes go to an `Emit`, which then owns their buffer. */
export interface StreamEncoder {
  write(samples: Int16Array<ArrayBuffer>): Promise<void> | void;
  /** Emits what is left. */
  finish(): Promise<void> | void;
  /** Frees what it holds, without emitting more. */
  cancel(): Promise<void> | void;
}

export type Emit = (bytes: Uint8Array<ArrayBuffer>) => void;
