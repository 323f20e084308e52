import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const HEAD_CHARS = 1_000;

/**
 * Runs files first whose top comment contains `@waits: for what`. They mostly wait for clocks, while other files can
 * use the processors. Runs all other files from the largest to the smallest.
 */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waiting = sorted.filter(({ moduleId }) => waits(readFileSync(moduleId, 'utf8')));
    return [...waiting, ...sorted.filter((file) => !waiting.includes(file))];
  }
}

/** Returns whether the source of a test file contains `@waits`. */
export function waits(source: string): boolean {
  return /^ \* @waits: \S/m.test(source.slice(0, HEAD_CHARS));
}
