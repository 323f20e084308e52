import { ADDRESS_BYTES, fromBase58, isBase58 } from '../address';
import { invalidParams, RPC_CODES, RpcError } from './json-rpc';

const COMMITMENTS = ['processed', 'confirmed', 'finalized', 'recent', 'single', 'singleGossip', 'root', 'max'];
const SIGNATURE_BYTES = 64;
const SIGNATURE_CHARACTERS_MAX = 88;
const ADDRESS_CHARACTERS_MAX = 44;

export type Config = Readonly<Record<string, unknown>>;

/** Reads the positional parameters of a request. Errors resemble a real node's. */
export class Params {
  /** @param slot current slot, for the `minContextSlot` check */
  constructor(
    private readonly list: readonly unknown[],
    private readonly slot: number,
  ) {}

  has(index: number): boolean {
    return this.list[index] !== undefined && this.list[index] !== null;
  }

  isText(index: number): boolean {
    return typeof this.list[index] === 'string';
  }

  isNumber(index: number): boolean {
    return typeof this.list[index] === 'number';
  }

  /** @throws {RpcError} -32602 if the parameter is missing or not a string */
  text(index: number): string {
    this.#require(index);
    return asText(this.list[index]);
  }

  address(index: number): Uint8Array {
    return parseAddressParam(this.text(index));
  }

  signature(index: number): Uint8Array {
    return parseSignatureParam(this.text(index));
  }

  array(index: number, lengthMax: number): readonly unknown[] {
    this.#require(index);
    const value = this.list[index];
    if (!Array.isArray(value))
      throw invalidParams(`Invalid params: invalid type: ${describe(value)}, expected a sequence.`);
    if (value.length > lengthMax) throw invalidParams(`Too many inputs provided; max ${lengthMax}`);
    return value;
  }

  count(index: number): number {
    this.#require(index);
    return asCount(this.list[index]);
  }

  /** Reads lamports, from 0 to the largest safe integer. */
  lamports(index: number): bigint {
    return BigInt(this.count(index));
  }

  object(index: number): Config {
    this.#require(index);
    return asObject(this.list[index]);
  }

  /**
   * Reads the options object and checks `commitment` and `minContextSlot`. Returns {} if the parameter is missing.
   *
   * @throws {RpcError} -32016 if the chain has not reached `minContextSlot`
   */
  config(index: number): Config {
    if (!this.has(index)) return {};
    const config = asObject(this.list[index]);
    const { commitment, minContextSlot } = config;
    if (commitment !== undefined && commitment !== null) oneOf(commitment, COMMITMENTS);
    if (minContextSlot !== undefined && minContextSlot !== null && asCount(minContextSlot) > this.slot) {
      throw new RpcError(RPC_CODES.minContextSlotNotReached, 'Minimum context slot has not been reached', {
        contextSlot: this.slot,
      });
    }
    return config;
  }

  #require(index: number): void {
    if (index >= this.list.length) throw invalidParams(`\`params\` should have at least ${index + 1} argument(s)`);
  }
}

/** Parses a 32-byte address in base58. @throws {RpcError} -32602 */
export function parseAddressParam(text: unknown): Uint8Array {
  return decode(asText(text), ADDRESS_BYTES, ADDRESS_CHARACTERS_MAX);
}

/** Parses a 64-byte signature in base58. @throws {RpcError} -32602 */
export function parseSignatureParam(text: unknown): Uint8Array {
  return decode(asText(text), SIGNATURE_BYTES, SIGNATURE_CHARACTERS_MAX);
}

export function asText(value: unknown): string {
  if (typeof value !== 'string')
    throw invalidParams(`Invalid params: invalid type: ${describe(value)}, expected a string.`);
  return value;
}

export function asCount(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw invalidParams(`Invalid params: invalid value: ${describe(value)}, expected a whole number from 0.`);
  }
  return value;
}

export function asObject(value: unknown): Config {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidParams(`Invalid params: invalid type: ${describe(value)}, expected an object.`);
  return value as Config;
}

/** Returns the value if it is one of the names, or `fallback` for null or undefined. */
export function oneOf<Name extends string>(value: unknown, names: readonly Name[], fallback?: Name): Name {
  if ((value === undefined || value === null) && fallback !== undefined) return fallback;
  const found = names.find((name) => name === value);
  if (found === undefined)
    throw invalidParams(
      `Invalid params: unknown variant ${describe(value)}, expected one of ${names.map((name) => `\`${name}\``).join(', ')}.`,
    );
  return found;
}

function decode(text: string, bytes: number, charactersMax: number): Uint8Array {
  if (text.length > charactersMax) throw invalidParams('Invalid param: WrongSize');
  if (!isBase58(text)) throw invalidParams('Invalid param: Invalid');
  const decoded = fromBase58(text);
  if (decoded.length !== bytes) throw invalidParams('Invalid param: WrongSize');
  return decoded;
}

function describe(value: unknown): string {
  return typeof value === 'string'
    ? `string ${JSON.stringify(value.slice(0, 60))}`
    : (JSON.stringify(value)?.slice(0, 60) ?? 'nothing');
}
