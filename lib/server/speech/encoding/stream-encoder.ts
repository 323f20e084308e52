/**
 * Encodes 24 kHz mono samples into one file or stream. Passes the bytes to an `Emit`, which from then on owns their
 * buffer.
 */
export interface StreamEncoder {
  write(samples: Int16Array<ArrayBuffer>): Promise<void> | void;
  finish(): Promise<void> | void;
  cancel(): Promise<void> | void;
}

export type Emit = (bytes: Uint8Array<ArrayBuffer>) => void;
