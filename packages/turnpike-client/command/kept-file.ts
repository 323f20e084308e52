import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { type KeptMeasurement, readKept } from '@/lib/client/kept-measurements';
import type { CommandIo } from './command';

const BYTES_MAX = 512 * 1_024;

/** Returns the file's path in the user's folder for application state; null if there is no such folder. */
export function keptFile(env: CommandIo['env']): string | null {
  const home = env['HOME'] ? join(env['HOME'], '.local', 'state') : undefined;
  const folder = env['XDG_STATE_HOME'] || env['LOCALAPPDATA'] || home;
  return folder === undefined ? null : join(folder, 'turnpike', 'measurements.json');
}

export function readKeptFile(file: string): { kept: readonly KeptMeasurement[]; fault: string | null } {
  try {
    if (statSync(file).size > BYTES_MAX) throw new Error('It is too long.');
    const kept = readKept(JSON.parse(readFileSync(file, 'utf8')));
    if (kept === null) throw new Error('It has an unexpected format.');
    return { kept, fault: null };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { kept: [], fault: null };
    return {
      kept: [],
      fault: `${file} is not a list of measurements and will be replaced. ${(error as Error).message}`,
    };
  }
}

/** Replaces the file atomically. @returns a sentence about the failure; null if there was none */
export function writeKeptFile(file: string, kept: readonly KeptMeasurement[]): string | null {
  const written = `${file}.${randomUUID()}`;
  try {
    let text = JSON.stringify(kept);
    for (let count = kept.length; text.length > BYTES_MAX; text = JSON.stringify(kept.slice(0, count)))
      count = Math.floor(count / 2);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(written, text, { mode: 0o600 });
    renameSync(written, file);
    return null;
  } catch (error) {
    rmSync(written, { force: true });
    return `${file} cannot be written, so no measurement is kept. ${(error as Error).message}`;
  }
}
