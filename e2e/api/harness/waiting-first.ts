import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const HEAD_CHARS = 1_000;

/**
 * Begins with the files that say `@waits: for what` in the comment at their top: each waits for clocks for most of its
 * time, while others have the processors, and alone at the end it would have them idle. Behind them as ever, the largest first.
 */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waiting = sorted.filter(({ moduleId }) => waits(readFileSync(moduleId, 'utf8')));
    return [...waiting, ...sorted.filter((file) => !waiting.includes(file))];
  }
}

/** Returns whether the source of a test file says so. */
export function waits(source: string): boolean {
  return /^ \* @waits: \S/m.test(source.slice(0, HEAD_CHARS));
}
