import { fromBase58, isBase58 } from '../address';
import {
  decodeTransaction,
  SanitizeError,
  type Transaction,
  TRANSACTION_BYTES_MAX,
  WireFormatError,
} from '../transaction/transaction';
import { asText, oneOf } from './params';
import { invalidParams } from './json-rpc';

/** Maximum lengths of an encoded transaction. Nodes check them before decoding. */
const BASE58_CHARACTERS_MAX = 1_683;
const BASE64_CHARACTERS_MAX = 1_644;
const TYPE = 'solana_transaction::versioned::VersionedTransaction';

/**
 * Parses a signed transaction in base58 (the default) or base64.
 *
 * @throws {RpcError} -32602 with a node's message
 */
export function readTransaction(text: string, encoding: unknown): Transaction {
  if (oneOf(encoding, ['base58', 'base64', 'binary'], 'base58') === 'base64')
    return decodeBase64(text, TRANSACTION_BYTES_MAX, decodeTransaction, BASE64_CHARACTERS_MAX);
  if (text.length > BASE58_CHARACTERS_MAX)
    throw tooLarge('base58', text.length, BASE58_CHARACTERS_MAX, TRANSACTION_BYTES_MAX);
  if (!isBase58(text)) throw invalidParams(`invalid base58 encoding: InvalidCharacter`);
  return decoded(fromBase58(text), TRANSACTION_BYTES_MAX, decodeTransaction);
}

/** Decodes base64 text, then parses the bytes with `decode`. @throws {RpcError} -32602 */
export function decodeBase64<Result>(
  text: unknown,
  bytesMax: number,
  decode: (bytes: Uint8Array) => Result,
  charactersMax: number = Math.ceil(bytesMax / 3) * 4,
): Result {
  const base64 = asText(text);
  if (base64.length > charactersMax) throw tooLarge('base64', base64.length, charactersMax, bytesMax);
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64))
    throw invalidParams('invalid base64 encoding: InvalidByte');
  return decoded(Buffer.from(base64, 'base64'), bytesMax, decode);
}

function decoded<Result>(bytes: Uint8Array, bytesMax: number, decode: (bytes: Uint8Array) => Result): Result {
  if (bytes.length > bytesMax)
    throw invalidParams(`decoded ${TYPE} too large: ${bytes.length} bytes (max: ${bytesMax} bytes)`);
  try {
    return decode(bytes);
  } catch (error) {
    if (error instanceof WireFormatError) throw invalidParams(`failed to deserialize ${TYPE}: ${error.message}`);
    if (error instanceof SanitizeError)
      throw invalidParams(
        `invalid transaction: Transaction failed to sanitize accounts offsets correctly (${error.message})`,
      );
    throw error;
  }
}

function tooLarge(encoding: string, length: number, lengthMax: number, bytesMax: number) {
  return invalidParams(
    `${encoding} encoded ${TYPE} too large: ${length} bytes (max: encoded/raw ${lengthMax}/${bytesMax})`,
  );
}
