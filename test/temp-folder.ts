import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** In memory where the system has such a folder: each test opens a database that syncs every commit. */
export const PARENT = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** A new empty folder that is gone when the test that asked for it is over. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(PARENT, 'turnpike-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
