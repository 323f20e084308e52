import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of the repository. */
export const repositoryRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * Returns an absolute path in the repository.
 * @param {...string} segments
 */
export function inRepository(...segments) {
  return path.join(repositoryRoot, ...segments);
}
