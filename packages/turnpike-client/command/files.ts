import { readFileSync, writeFileSync } from 'node:fs';
import { UsageError } from '@/lib/command-line/usage-error';

/** Reads a file; `-` is standard input. @throws {UsageError} for an unreadable or too long file */
export function readBytes(file: string, bytesMax = Infinity): Buffer {
  try {
    const bytes = readFileSync(file === '-' ? 0 : file);
    if (bytes.length > bytesMax) throw new Error('The file is too long.');
    return bytes;
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** @throws the same errors as `readBytes` */
export function readText(file: string, bytesMax?: number): string {
  return readBytes(file, bytesMax).toString('utf8');
}

/** @throws {UsageError} */
export function writeText(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}`);
  }
}
