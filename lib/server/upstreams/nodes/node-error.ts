import type { ChainKind } from '@/lib/protocol/networks';
import type { ErrorMeaning, ErrorRule } from './error-meaning';
import { EVM_ERRORS } from './evm-errors';
import { asksForRange, isBundlerMethod, runsCallerCode } from './method-traits';
import { SOLANA_ERRORS } from './solana-errors';
import { STARKNET_ERRORS } from './starknet-errors';

/** Where an error came from. */
export interface ErrorContext {
  kind: ChainKind;
  /** The method that was asked; `batch` for a whole array. */
  method: string;
  /** The HTTP status of the answer. */
  status: number;
}

export interface RpcError {
  code: number;
  message: string;
  /** As it was sent: hex data of a revert, numbers of a node. */
  data: unknown;
}

/** Longer errors are not read: a node that speaks of itself is brief. */
const ERROR_BYTES_MAX = 16_384;

const TABLES: Readonly<Record<ChainKind, readonly ErrorRule[]>> = {
  evm: EVM_ERRORS,
  solana: SOLANA_ERRORS,
  starknet: STARKNET_ERRORS,
};

/** Reads the text of an error object. @returns null where it is too long or no object. */
export function readRpcError(bytes: Buffer): RpcError | null {
  if (bytes.length > ERROR_BYTES_MAX) return null;
  try {
    const { code, message, data } = JSON.parse(bytes.toString('utf8')) as {
      code?: unknown;
      message?: unknown;
      data?: unknown;
    };
    return { code: typeof code === 'number' ? code : 0, message: typeof message === 'string' ? message : '', data };
  } catch {
    return null;
  }
}

/**
 * Says what a well-formed JSON-RPC error under the asked id means. What a caller controls (reverts, custom errors,
 * error data, refused sends) is always an answer. docs/upstreams.md has the table for people.
 * @param error null for one that could not be read.
 */
export function errorMeaning(error: RpcError | null, context: ErrorContext): ErrorMeaning {
  const { status } = context;
  if (status === 401 || status === 407) return 'failing';
  const meaning = error && meaningByTable(error, context);
  if (status === 429) return meaning === 'quota' ? meaning : 'rate-limited';
  // What is too large can only be the answer: requests for ranges are short.
  if (status === 413 && asksForRange(context.method)) return 'range-limit';
  if (meaning) return meaning;
  if (status >= 500) return 'failing';
  return status === 403 || status === 408 ? 'unable' : 'answer';
}

/** Null where no rule of the family's table matches. */
function meaningByTable(error: RpcError, { kind, method }: ErrorContext): ErrorMeaning | null {
  const { code } = error;
  if (isOfExecution(error, method)) return 'answer';
  const message = error.message.replace(QUOTED, '');
  const isExecuted = runsCallerCode(method);
  for (const { codes, text, source = 'own', means } of TABLES[kind]) {
    if (codes && !codes.includes(code)) continue;
    if (source === 'unless-executed' && isExecuted) continue;
    if (source === 'of-ranges' && !asksForRange(method)) continue;
    if (text && !text.test(message)) continue;
    return means;
  }
  return null;
}

/** What a message quotes was said by another: by a contract, or by the caller in params. */
const QUOTED = /"[^"]*"|`[^`]*`|(?<=^|[\s(])'[^']*'(?=$|[\s).,:;])/g;

/** Code of a revert, which execution APIs and nodes of all EVM chains share. */
const REVERT = 3;
/** ERC-7769: what the entry point, a paymaster or an account says of a user operation. */
const isOfBundler = (code: number): boolean => code <= -32_500 && code >= -32_599;
/** What nodes put before, or around, the words of a contract. */
const EXECUTION_TEXT =
  /revert|\bVM\b|\bevm:|invalid opcode|out of gas|stack (over|under)flow|\bAA\d\d\b|Transaction simulation failed|custom program error|Fail with error/i;

/** Whether the words of an error may be those of a contract, a program, or a user operation. */
function isOfExecution({ code, message, data }: RpcError, method: string): boolean {
  if (code === REVERT || isOfBundler(code) || EXECUTION_TEXT.test(message)) return true;
  // Nodes speak of themselves in the message. Beside hex data, the message is about what was executed.
  if (typeof data === 'string' && /^(Reverted )?0x/i.test(data) && runsCallerCode(method)) return true;
  return isBundlerMethod(method) && code > -32_600 && code < 0;
}
