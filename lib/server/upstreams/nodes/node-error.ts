import type { ChainKind } from '@/lib/protocol/networks';
import type { ErrorMeaning, ErrorRule } from './error-meaning';
import { EVM_ERRORS, SOLANA_ERRORS, STARKNET_ERRORS } from './chain-errors';
import { asksForRange, isBundlerMethod, runsCallerCode } from './method-traits';

interface ErrorContext {
  kind: ChainKind;
  /** JSON-RPC method, or `batch` for an array of calls. */
  method: string;
  status: number;
}

interface RpcError {
  code: number;
  message: string;
  /** `data` of the error as received, such as revert data in hexadecimal. */
  data: unknown;
}

const ERROR_BYTES_MAX = 16_384;

const TABLES: Readonly<Record<ChainKind, readonly ErrorRule[]>> = {
  evm: EVM_ERRORS,
  solana: SOLANA_ERRORS,
  starknet: STARKNET_ERRORS,
};

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
 * Classifies a JSON-RPC error (table in docs/upstreams.md). Errors that a caller can control (reverts, custom errors,
 * error data, refused sends) mean `answer`, unless the HTTP status decides.
 * @param error null if it is unreadable
 */
export function errorMeaning(error: RpcError | null, context: ErrorContext): ErrorMeaning {
  const { status } = context;
  if (status === 401 || status === 407) return 'failing';
  const meaning = error && meaningByTable(error, context);
  if (status === 429) return meaning === 'quota' ? meaning : 'rate-limited';
  // Requests for ranges are short, so status 413 must mean that the answer is too large.
  if (status === 413 && asksForRange(context.method)) return 'range-limit';
  if (meaning) return meaning;
  if (status >= 500) return 'failing';
  return status === 403 || status === 408 ? 'unable' : 'answer';
}

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

/** Matches quotations. Their text comes from a contract or from the caller's params. */
const QUOTED = /"[^"]*"|`[^`]*`|(?<=^|[\s(])'[^']*'(?=$|[\s).,:;])/g;

const REVERT = 3;
/** ERC-7769 assigns these codes to errors of the entry point, a paymaster or an account. */
const isOfBundler = (code: number): boolean => code <= -32_500 && code >= -32_599;
/** Matches the text that nodes put around a contract's message. */
const EXECUTION_TEXT =
  /revert|\bVM\b|\bevm:|invalid opcode|out of gas|stack (over|under)flow|\bAA\d\d\b|Transaction simulation failed|custom program error|Fail with error/i;

/** Returns whether the text of an error may have been chosen by a contract, a program or a user operation. */
function isOfExecution({ code, message, data }: RpcError, method: string): boolean {
  if (code === REVERT || isOfBundler(code) || EXECUTION_TEXT.test(message)) return true;
  // A node's own errors have no hexadecimal data.
  if (typeof data === 'string' && /^(Reverted )?0x/i.test(data) && runsCallerCode(method)) return true;
  return isBundlerMethod(method) && code > -32_600 && code < 0;
}
