import { MisfitError, type Schema } from './answer-schema';

export const base64Bytes: Schema<Uint8Array<ArrayBuffer>> = (value, at) => {
  try {
    if (typeof value === 'string') return Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
  } catch {
    // Invalid base64: the statement after this block throws.
  }
  throw new MisfitError(at, typeof value === 'string' ? value.slice(0, 100) : value, 'base64');
};
