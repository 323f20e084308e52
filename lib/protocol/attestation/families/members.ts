import { hexToBytes } from '@noble/hashes/utils.js';
import { base64 } from '@scure/base';
import { NotCheckable } from '../../tee/check-list';
import { asHex, asObject, asString, type JsonObject } from '../../tee/json-shape';
import { Malformed } from '../../tee/malformed';
import { quoteFromText } from '@/lib/protocol/tee/quote/quote';

export function objectAt(json: JsonObject, name: string): JsonObject | null {
  const value = json[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

export function arrayAt(json: JsonObject, name: string): readonly unknown[] | null {
  const value = json[name];
  return Array.isArray(value) ? (value as unknown[]) : null;
}

/**
 * Returns the first non-empty text among these members; null if all are empty.
 *
 * @throws {Malformed} for a member of another type
 */
export function textAt(json: JsonObject, ...names: readonly string[]): string | null {
  const name = names.find((candidate) => json[candidate] != null && json[candidate] !== '');
  return name === undefined ? null : asString(json[name], name);
}

export function hasTexts(json: JsonObject, ...names: readonly string[]): boolean {
  return names.every((name) => typeof json[name] === 'string' && json[name] !== '');
}

/** Decodes hex, with or without 0x. @throws {Malformed} */
export function hexBytes(text: string, path: string, length?: number): Uint8Array {
  return hexToBytes(asHex(text.replace(/^0x/i, ''), path, length).toLowerCase());
}

/** @throws {Malformed} */
export function base64Bytes(text: string, path: string, charactersMax: number): Uint8Array {
  if (text.length > charactersMax) throw new Malformed(`${path} is too long.`);
  try {
    return base64.decode(text);
  } catch {
    throw new Malformed(`${path} is not valid base64.`);
  }
}

/** Decodes a quote in hex or base64. @throws {NotCheckable} if absent; {Malformed} */
export function quoteAt(json: JsonObject, name: string): Uint8Array {
  const text = textAt(json, name);
  if (text === null) throw new NotCheckable('The report has no quote. Its own claim to be verified proves nothing.');
  return quoteFromText(text);
}

/** Returns a member's value, parsed if it is a string of JSON; null for malformed JSON. */
export function jsonAt(json: JsonObject, name: string): unknown {
  const value = json[name] ?? null;
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return null;
  }
}

export function itemAt(items: readonly unknown[], index: number, path: string): JsonObject {
  return asObject(items[index], `${path}[${index}]`);
}
