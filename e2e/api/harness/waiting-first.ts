import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const HEAD_CHARS = 1_000;

/**
 * Runs files early whose top comment contains `@waits: for what`. They mostly wait, while other files can use the
 * processors. Runs all other files from the largest to the smallest.
 */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return spread(await super.sort(files), ({ moduleId }) => waits(readFileSync(moduleId, 'utf8')));
  }
}

/** Puts each file that waits before two that do not. Three that wait at once would leave the processors idle. */
export function spread<T>(files: readonly T[], isWaiting: (file: T) => boolean): T[] {
  const busy = files.filter((file) => !isWaiting(file));
  const early = files.filter(isWaiting).flatMap((file) => [file, ...busy.splice(0, 2)]);
  return [...early, ...busy];
}

/** Returns whether the source of a test file contains `@waits`. */
export function waits(source: string): boolean {
  return /^ \* @waits: \S/m.test(source.slice(0, HEAD_CHARS));
}
