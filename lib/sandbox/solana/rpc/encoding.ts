import { toBase58 } from '../address';
import { type Account, RENT_EXEMPT_EPOCH } from '../accounts/account';
import { parseAccount, type ReadAccount } from '../accounts/parsed';
import { invalidParams, type Json, RPC_CODES, RpcError } from './json-rpc';
import { asCount, asObject, type Config, oneOf } from './params';

const ENCODINGS = ['binary', 'base58', 'base64', 'base64+zstd', 'jsonParsed'] as const;
/** Maximum number of bytes to encode in base58, because base58 takes quadratic time. Nodes have the same limit. */
const BASE58_BYTES_MAX = 128;

export interface AccountFormat {
  encoding: (typeof ENCODINGS)[number];
  slice: { offset: number; length: number } | null;
}

/**
 * Parses the `encoding` and `dataSlice` options of a request.
 *
 * @throws {RpcError} -32602
 */
export function accountFormat(config: Config, fallback: AccountFormat['encoding'] = 'binary'): AccountFormat {
  const encoding = oneOf(config['encoding'], ENCODINGS, fallback);
  if (encoding === 'base64+zstd') throw invalidParams('Invalid params: base64+zstd is not offered here, use base64.');
  const slice = config['dataSlice'];
  if (slice === undefined || slice === null) return { encoding, slice: null };
  const { offset, length } = asObject(slice);
  return { encoding, slice: { offset: asCount(offset), length: asCount(length) } };
}

/**
 * Formats an account for JSON-RPC.
 *
 * @throws {RpcError} -32600 for more than 128 bytes in base58
 */
export function accountJson(
  account: Account,
  format: AccountFormat,
  read: ReadAccount,
): { readonly [name: string]: Json } {
  const { lamports, owner, executable, data } = account;
  return {
    data: dataJson(account, format, read),
    executable,
    lamports,
    owner: toBase58(owner),
    rentEpoch: RENT_EXEMPT_EPOCH,
    space: data.length,
  };
}

function dataJson(account: Account, { encoding, slice }: AccountFormat, read: ReadAccount): Json {
  const parsed = encoding === 'jsonParsed' ? parseAccount(account, read) : null;
  if (parsed) return parsed;
  const data = slice ? account.data.subarray(slice.offset, slice.offset + slice.length) : account.data;
  if (encoding !== 'binary' && encoding !== 'base58') return [Buffer.from(data).toString('base64'), 'base64'];
  if (data.length > BASE58_BYTES_MAX) {
    throw new RpcError(
      RPC_CODES.invalidRequest,
      `Encoded binary (base 58) data should be less than ${BASE58_BYTES_MAX} bytes, please use Base64 encoding.`,
    );
  }
  return encoding === 'binary' ? toBase58(data) : [toBase58(data), 'base58'];
}
