import { apiError } from '@/lib/protocol/errors';
import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { BodyParts } from '../body-parts';

const PIECE_BYTES = 65_536;

/** File that a caller sent. It is unlinked immediately, so it disappears if this process dies. */
export class UploadedFile {
  length = 0;
  readonly #hash = createHash('sha256');
  #digest: string | null = null;
  #pending = new BodyParts();
  #written = 0;

  private constructor(private readonly handle: FileHandle) {}

  static async create(folder: string): Promise<UploadedFile> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `upload-${randomUUID()}`);
    const handle = await open(path, 'wx+', 0o600);
    await unlink(path);
    return new UploadedFile(handle);
  }

  /** SHA-256 of the file, in hexadecimal. After reading this, nothing can be appended. */
  get sha256(): string {
    return (this.#digest ??= this.#hash.digest('hex'));
  }

  /** Joins small pieces, because a small write costs as much as a large one. */
  async append(bytes: Uint8Array): Promise<void> {
    this.length += bytes.byteLength;
    this.#pending.copy(bytes);
    if (this.#pending.length >= PIECE_BYTES) await this.finish();
  }

  async finish(): Promise<void> {
    const bytes = this.#pending.whole();
    this.#pending = new BodyParts();
    this.#hash.update(bytes);
    for (let at = 0; at < bytes.byteLength;) {
      const { bytesWritten } = await this.handle.write(bytes, at, bytes.byteLength - at, this.#written);
      at += bytesWritten;
      this.#written += bytesWritten;
    }
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, this.length - offset)));
    let filled = 0;
    while (filled < buffer.length) {
      const { bytesRead } = await this.handle.read(buffer, filled, buffer.length - filled, offset + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return buffer.subarray(0, filled);
  }

  async *parts(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < this.length; at += PIECE_BYTES) yield await this.read(at, PIECE_BYTES);
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

const RETRY_AFTER_SECONDS = 5;
/**
 * Maximum share of upload places that one caller may hold. All callers without an account or funds count as one caller.
 */
const CALLER_SHARE = 1 / 4;

/** Limits the number of uploaded files and their space on the disk. */
export class UploadPlaces {
  readonly #takenBy = new Map<number, number>();
  #taken = 0;

  constructor(private readonly placesMax: number) {}

  get taken(): number {
    return this.#taken;
  }

  /**
   * Reserves a place for one uploaded file.
   * @returns a function that frees the place
   * @throws ApiError OVERLOADED
   */
  take(accountId: number): () => void {
    const own = this.#takenBy.get(accountId) ?? 0;
    if (this.#taken >= this.placesMax || own >= Math.max(1, Math.floor(this.placesMax * CALLER_SHARE)))
      throw apiError('OVERLOADED', {
        message: 'Too many uploaded files are being processed.',
        headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
      });
    this.#taken++;
    this.#takenBy.set(accountId, own + 1);
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
      this.#taken--;
      const left = (this.#takenBy.get(accountId) ?? 1) - 1;
      if (left > 0) this.#takenBy.set(accountId, left);
      else this.#takenBy.delete(accountId);
    };
  }
}
