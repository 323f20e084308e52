import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';
import type { DailyRow, LedgerRow } from './daily-rows';

const gzipped = promisify(gzip);

const FORMAT = 'turnpike-ledger-archive/1';
const ROWS_AT_ONCE = 250;

interface ArchiveHeader {
  format: typeof FORMAT;
  archive: number;
  /** Checksum of the previous file in hex; empty for the first. */
  previousSha256: string;
  rows: number;
}

/** Archived row. `into` is the id of the daily row that replaced it. */
export type ArchivedRow = LedgerRow & { into: number };

/**
 * The name contains the content's hash, so that two writers of the same archive number never write to the same file.
 */
function archiveName(number: number, sha256: string): string {
  return `ledger-${String(number).padStart(6, '0')}-${sha256.slice(0, 16)}.jsonl.gz`;
}

/**
 * Writes an archive: gzip of JSON Lines, first a header and then the rows. The file is durable under its name when the
 * promise resolves.
 * @returns the file's name, and its SHA-256 in hex
 */
export async function writeArchive(
  folder: string,
  header: Omit<ArchiveHeader, 'format' | 'rows'>,
  daily: readonly DailyRow[],
): Promise<{ file: string; sha256: string }> {
  if (await mkdir(folder, { recursive: true, mode: 0o700 })) await syncFolder(dirname(folder));
  const bytes = await gzipped(await linesOf(header, daily));
  const sha256 = sha256Of(bytes);
  const file = archiveName(header.archive, sha256);
  const part = join(folder, `${file}.${randomBytes(4).toString('hex')}.part`);
  try {
    await writeFile(part, bytes, { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  await rename(part, join(folder, file));
  await syncFolder(folder);
  return { file, sha256 };
}

/** Yields to other work between parts. */
async function linesOf(header: Omit<ArchiveHeader, 'format' | 'rows'>, daily: readonly DailyRow[]): Promise<string> {
  const rows = daily
    .flatMap((group) => group.rows.map((row) => ({ row, into: group.id })))
    .sort((left, right) => left.row.id - right.row.id);
  const first: ArchiveHeader = { format: FORMAT, ...header, rows: rows.length };
  let text = `${JSON.stringify(first)}\n`;
  for (const [index, { row, into }] of rows.entries()) {
    if (index % ROWS_AT_ONCE === 0) await turn();
    text += `${JSON.stringify({ ...row, into } satisfies ArchivedRow)}\n`;
  }
  return text;
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

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
  if (header.format !== FORMAT) throw new Error('The file has another format.');
  return { header, rows: lines.map((line) => JSON.parse(line) as ArchivedRow) };
}
