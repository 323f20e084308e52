import { readFileSync } from 'node:fs';
import { UsageError } from './usage-error';

/** Reads a file as text; `-` is standard input. @throws {UsageError} */
export function readText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}
