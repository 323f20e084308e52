import { Malformed } from './malformed';

/** Strict JSON parsing. Each function returns the typed value, or throws an error that contains the value's path. */

export type JsonObject = Readonly<Record<string, unknown>>;

/** Parses text that must be an object. @throws {Malformed} */
export function parseJsonObject(text: string, path: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Malformed(`${path} is not valid JSON.`);
  }
  return asObject(value, path);
}

export function asObject(value: unknown, path: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Malformed(`${path} must be an object.`);
  return value as JsonObject;
}

export function asArray(value: unknown, path: string, itemsMax = 1_000): readonly unknown[] {
  if (!Array.isArray(value)) throw new Malformed(`${path} must be an array.`);
  if (value.length > itemsMax) throw new Malformed(`${path} has more than ${itemsMax} items.`);
  return value;
}

export function asString(value: unknown, path: string): string {
  if (typeof value !== 'string') throw new Malformed(`${path} must be a string.`);
  return value;
}

/** Returns an integer from 0 to 2^32 - 1. */
export function asCount(value: unknown, path: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 0xffff_ffff)
    throw new Malformed(`${path} must be a whole number.`);
  return value;
}

/** Maximum length of hex text. The longest revocation lists have a few hundred thousand characters. */
const HEX_CHARACTERS_MAX = 2_097_152;

/**
 * Returns upper-case hex.
 *
 * @param bytes required length in bytes
 */
export function asHex(value: unknown, path: string, bytes?: number): string {
  const text = asString(value, path);
  if (text.length > HEX_CHARACTERS_MAX) throw new Malformed(`${path} is too long.`);
  if (text.length % 2 !== 0 || /[^0-9a-f]/i.test(text)) throw new Malformed(`${path} must be bytes in hex.`);
  if (bytes !== undefined && text.length !== 2 * bytes) throw new Malformed(`${path} must be ${bytes} bytes in hex.`);
  return text.toUpperCase();
}

const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z$/;

/** Returns the Unix milliseconds of an ISO 8601 time in UTC. */
export function asTime(value: unknown, path: string): number {
  const text = asString(value, path);
  const timeMs = ISO_TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(timeMs)) throw new Malformed(`${path} must be a time in ISO 8601.`);
  return timeMs;
}
