import type { Readable } from 'node:stream';

export interface WholeFile {
  path: string;
  bytes: number;
  /** SHA-256 of the bytes in hexadecimal. */
  sha256: string;
}

/** Stored media. The stream either delivers all bytes or fails. */
export interface StoredMedia {
  bytes: number;
  stream: Readable;
}

/** Storage of videos. Names consist of letters, digits, `-` and `.`. */
export interface MediaStorage {
  /** Stores a file under a name, completely or not at all. Replaces earlier media. May move the file. */
  keep(name: string, file: WholeFile): Promise<void>;
  /** Returns null if no media have this name. @throws StorageAway */
  open(name: string): Promise<StoredMedia | null>;
  /** Does nothing if no media have this name. @throws StorageAway */
  delete(name: string): Promise<void>;
  close(): Promise<void>;
}

/** Error if the storage does not answer or refuses. The message contains no credentials. */
export class StorageAway extends Error {
  override readonly name = 'StorageAway';
}
