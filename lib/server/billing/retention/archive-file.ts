import { createHash, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { DailyRow, LedgerRow } from './daily-rows';

const FORMAT = 'turnpike-ledger-archive/1';

export interface ArchiveHeader {
  format: typeof FORMAT;
  archive: number;
  /** Checksum of the previous file, hex; empty for the first. */
  previousSha256: string;
  rows: number;
}

/** Archived row. `into` is the id of its daily row. */
export type ArchivedRow = LedgerRow & { into: number };

/** Returns the file's name. It contains the content's hash, so that writers of the same number cannot collide. */
function archiveName(number: number, sha256: string): string {
  return `ledger-${String(number).padStart(6, '0')}-${sha256.slice(0, 16)}.jsonl.gz`;
}

/**
 * Writes an archive: gzip of JSON Lines, a header and then the rows. On return the file is durable under its name. A
 * file that a crashed writer left under the same number stays.
 * @returns the file's name, and its SHA-256, hex
 */
export function writeArchive(
  folder: string,
  header: Omit<ArchiveHeader, 'format' | 'rows'>,
  daily: readonly DailyRow[],
): { file: string; sha256: string } {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const rows = daily
    .flatMap((group) => group.rows.map((row): ArchivedRow => ({ ...row, into: group.id })))
    .sort((left, right) => left.id - right.id);
  const lines = [{ format: FORMAT, ...header, rows: rows.length }, ...rows].map((line) => `${JSON.stringify(line)}\n`);
  const bytes = gzipSync(lines.join(''));
  const sha256 = sha256Of(bytes);
  const file = archiveName(header.archive, sha256);
  const part = join(folder, `${file}.${randomBytes(4).toString('hex')}.part`);
  const descriptor = openSync(part, 'wx', 0o600);
  try {
    for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
    fsyncSync(descriptor);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
  renameSync(part, join(folder, file));
  syncFolder(folder);
  return { file, sha256 };
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Deletes an archive file that another process has made unnecessary. */
export function removeArchive(folder: string, file: string): void {
  rmSync(join(folder, file), { force: true });
}

export function readArchive(folder: string, file: string): Buffer | null {
  try {
    return readFileSync(join(folder, file));
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null;
    throw error;
  }
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function parseArchive(bytes: Uint8Array): { header: ArchiveHeader; rows: ArchivedRow[] } {
  const [first = '', ...lines] = gunzipSync(bytes).toString('utf8').trimEnd().split('\n');
  const header = JSON.parse(first) as ArchiveHeader;
  if (header.format !== FORMAT) throw new Error('It is of another format.');
  return { header, rows: lines.map((line) => JSON.parse(line) as ArchivedRow) };
}
