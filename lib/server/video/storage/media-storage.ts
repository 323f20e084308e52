import { mkdirSync } from 'node:fs';
import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

export interface WholeFile {
  path: string;
  bytes: number;
  /** SHA-256 of the file's bytes, in hexadecimal. */
  sha256: string;
}

/** Stored media. The stream either delivers all bytes or fails. */
export interface StoredMedia {
  bytes: number;
  stream: Readable;
}

/** Storage for videos. The names of media consist of letters, digits, `-` and `.`. */
export interface MediaStorage {
  /**
   * Stores a file under a name, either completely or not at all. Replaces earlier media with this name. May move the
   * file.
   */
  keep(name: string, file: WholeFile): Promise<void>;
  /**
   * Opens the media with this name; null if no media has it.
   * @throws StorageAway
   */
  open(name: string): Promise<StoredMedia | null>;
  /**
   * Deletes the media with this name, if there are any.
   * @throws StorageAway
   */
  delete(name: string): Promise<void>;
  close(): Promise<void>;
}

/** Thrown if the storage rejects a request or does not answer. The message contains no credentials. */
export class StorageAway extends Error {
  override readonly name = 'StorageAway';
}

/** Stores videos as files in a folder. Several gateways may share the folder. */
export class FolderStorage implements MediaStorage {
  /** @throws Error if the folder cannot be created */
  constructor(private readonly folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  async keep(name: string, file: WholeFile): Promise<void> {
    const path = this.#path(name);
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await syncFile(file.path);
    try {
      await rename(file.path, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
      // The file is on a different file system. Copies it to a temporary name, then renames the complete copy.
      const part = partOf(path);
      await copyFile(file.path, part);
      await syncFile(part);
      await rename(part, path);
    }
  }

  async open(name: string): Promise<StoredMedia | null> {
    const path = this.#path(name);
    let handle;
    try {
      handle = await open(path, 'r');
    } catch (error) {
      if (isMissing(error)) return null;
      throw new StorageAway('The folder of videos cannot be read.', { cause: error });
    }
    try {
      const { size, isFile } = await handle.stat().then((stat) => ({ size: stat.size, isFile: stat.isFile() }));
      if (isFile) return { bytes: size, stream: handle.createReadStream() };
    } catch (error) {
      await handle.close();
      throw new StorageAway('The folder of videos cannot be read.', { cause: error });
    }
    await handle.close();
    return null;
  }

  async delete(name: string): Promise<void> {
    const path = this.#path(name);
    try {
      for (const file of [path, partOf(path)]) await rm(file, { force: true });
    } catch (error) {
      throw new StorageAway('A video cannot be deleted from its folder.', { cause: error });
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #path(name: string): string {
    if (!/^[A-Za-z0-9-]+(\.[A-Za-z0-9]+)?$/.test(name)) throw new Error('The name of the media is not valid.');
    return join(/* turbopackIgnore: true */ this.folder, name);
  }
}

function partOf(path: string): string {
  return `${path}.part`;
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
