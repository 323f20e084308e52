import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of the repository, whatever directory a command was called from. */
export const repositoryRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * Absolute path of something in the repository.
 * @param {...string} segments
 */
export function inRepository(...segments) {
  return path.join(repositoryRoot, ...segments);
}
