import type { Readable } from 'node:stream';

/** A file of media that is whole, on this machine. */
export interface WholeFile {
  path: string;
  bytes: number;
  /** SHA-256 of its bytes, hex. */
  sha256: string;
}

/** Media that are there: their bytes flow once the stream is read, and end early only with an error. */
export interface StoredMedia {
  bytes: number;
  stream: Readable;
}

/** Where videos are kept. Names are letters, digits, `-` and `.`. */
export interface MediaStorage {
  /** Keeps a file under a name, whole or not at all; what was there is replaced. It may take the file away from its place. */
  keep(name: string, file: WholeFile): Promise<void>;
  /** The media under a name; null where there are none. @throws StorageAway */
  open(name: string): Promise<StoredMedia | null>;
  /** Deletes the bytes under a name, if there are any. @throws StorageAway */
  delete(name: string): Promise<void>;
  close(): Promise<void>;
}

/** The storage does not answer, or refuses. The message tells nothing of its credentials. */
export class StorageAway extends Error {
  override readonly name = 'StorageAway';
}
