import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/**
 * Parent folder of temporary folders. Is in memory if possible, because each test opens a database that syncs every
 * commit.
 */
export const PARENT = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** Creates an empty folder that is deleted at the end of the test. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(PARENT, 'turnpike-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
