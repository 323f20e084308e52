import { heightOf } from './head-height';

/** Finds a height in a result; null if the searched bytes contain no height. */
export type HeightFinder = (bytes: Buffer, start: number, end: number) => number | null;

const LOOKED_BYTES_MAX = 65_536;
const HEIGHT_LENGTH_MAX = 100;
const CONTEXT_LENGTH_MAX = 256;

export const NO_HEIGHT_FINDER: HeightFinder = () => null;

export const wholeHeight: HeightFinder = (bytes, start, end) =>
  end - start > HEIGHT_LENGTH_MAX ? null : heightOfText(bytes.toString('latin1', start, end));

/**
 * Finds the first member of this name at any depth. Text within a string cannot match, because its quotes are escaped.
 */
export function memberHeight(name: string): HeightFinder {
  const needle = Buffer.from(`"${name}"`);
  return (bytes, start, end) => {
    const looked = bytes.subarray(start, Math.min(end, start + LOOKED_BYTES_MAX));
    return heightAfter(looked, looked.indexOf(needle), needle.length);
  };
}

/** Finds the last member of this name. In a list of logs, that member belongs to the newest log. */
export function lastMemberHeight(name: string): HeightFinder {
  const needle = Buffer.from(`"${name}"`);
  return (bytes, start, end) => {
    const looked = bytes.subarray(Math.max(start, end - LOOKED_BYTES_MAX), end);
    return heightAfter(looked, looked.lastIndexOf(needle), needle.length);
  };
}

function heightAfter(looked: Buffer, at: number, length: number): number | null {
  if (at < 0) return null;
  const after = at + length;
  const [, text] =
    /^\s*:\s*("0x[0-9a-fA-F]{1,64}"|\d{1,16})\s*[,}]/.exec(
      looked.toString('latin1', after, after + HEIGHT_LENGTH_MAX),
    ) ?? [];
  return text === undefined ? null : heightOfText(text);
}

export const contextSlot: HeightFinder = (bytes, start, end) => {
  const [, slot] =
    /^\s*\{\s*"context"\s*:\s*\{[^{}]*?"slot"\s*:\s*(\d{1,16})\s*[,}]/.exec(
      bytes.toString('latin1', start, Math.min(end, start + CONTEXT_LENGTH_MAX)),
    ) ?? [];
  return slot === undefined ? null : heightOfText(slot);
};

function heightOfText(text: string): number | null {
  return heightOf(text.startsWith('"') ? text.slice(1, -1) : /^\d{1,16}$/.test(text) ? Number(text) : null);
}
