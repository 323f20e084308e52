import type { BlockPlace } from './receipt';

/** Answers longer than this are not searched for blocks. */
export const BLOCK_ANSWER_BYTES_MAX = 262_144;
const NUMBER = /^0x[0-9a-f]{1,16}$/;
const HASH = /^0x[0-9a-f]{1,64}$/;

type Json = Readonly<Record<string, unknown>>;

/**
 * Returns, for each method, the block in the JSON-RPC answer at the method's index, or null. Blocks appear in a
 * receipt, transaction or block (EVM), in `context.slot` (Solana), or in `block_number` (Starknet). For
 * `eth_blockNumber`, the result is the block.
 */
export function blocksInAnswer(body: Uint8Array, methods: readonly string[]): readonly (BlockPlace | null)[] {
  const answers = answersIn(body);
  return methods.map((method, index) => blockIn(answers[index], method));
}

function answersIn(body: Uint8Array): readonly unknown[] {
  if (body.byteLength > BLOCK_ANSWER_BYTES_MAX) return [];
  try {
    const answer = JSON.parse(new TextDecoder().decode(body)) as unknown;
    return Array.isArray(answer) ? answer : [answer];
  } catch {
    return [];
  }
}

function blockIn(answer: unknown, method: string): BlockPlace | null {
  const result = isJson(answer) ? answer['result'] : null;
  if (method === 'eth_blockNumber') return placeOf(result, null);
  if (!isJson(result)) return null;
  const { context } = result;
  return (
    placeOf(result['blockNumber'], result['blockHash']) ??
    ('parentHash' in result ? placeOf(result['number'], result['hash']) : null) ??
    placeOf(result['block_number'], result['block_hash']) ??
    placeOf(isJson(context) ? context['slot'] : null, null)
  );
}

function placeOf(number: unknown, hash: unknown): BlockPlace | null {
  const text = typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? String(number) : number;
  if (typeof text !== 'string' || !(NUMBER.test(text) || typeof number === 'number')) return null;
  return { number: text, ...(typeof hash === 'string' && HASH.test(hash) && { hash }) };
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
