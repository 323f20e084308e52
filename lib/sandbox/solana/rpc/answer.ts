import type { SolanaChain } from '../chain';
import type { SandboxLog } from '../../log';
import { ACCOUNT_METHODS } from './account-methods';
import { CHAIN_METHODS } from './chain-methods';
import { HISTORY_METHODS } from './history-methods';
import { type Json, RPC_CODES, RpcError, toJsonText } from './json-rpc';
import type { Method } from './method';
import { Params } from './params';
import { SEND_METHODS } from './send-methods';
import { TOKEN_METHODS } from './token-methods';

const METHODS: ReadonlyMap<string, Method> = new Map(
  Object.entries({ ...ACCOUNT_METHODS, ...TOKEN_METHODS, ...CHAIN_METHODS, ...HISTORY_METHODS, ...SEND_METHODS }),
);

/**
 * Answers a JSON-RPC request or batch like a node: every failure becomes a JSON-RPC error. The answer reveals only
 * state that is on disk.
 */
export async function answerRpc(chain: SolanaChain, body: Uint8Array, log: SandboxLog): Promise<string> {
  let request: unknown;
  try {
    request = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return errorText(null, new RpcError(RPC_CODES.parse, 'Parse error'));
  }
  if (!Array.isArray(request)) return answerOne(chain, request, log);
  if (request.length === 0) return errorText(null, new RpcError(RPC_CODES.invalidRequest, 'Invalid request'));
  const answers: string[] = [];
  for (const item of request) answers.push(await answerOne(chain, item, log));
  return `[${answers.join(',')}]`;
}

async function answerOne(chain: SolanaChain, request: unknown, log: SandboxLog): Promise<string> {
  const { id, method, params } = readRequest(request);
  if (method === null) return errorText(id, new RpcError(RPC_CODES.invalidRequest, 'Invalid request'));
  try {
    const run = METHODS.get(method);
    if (!run) throw new RpcError(RPC_CODES.methodNotFound, 'Method not found');
    if (!Array.isArray(params)) throw new RpcError(RPC_CODES.invalidParams, 'Invalid params: expected a sequence.');
    await chain.settled();
    return `{"jsonrpc":"2.0","result":${toJsonText(await run(chain, new Params(params, chain.clock.now())))},"id":${JSON.stringify(id)}}`;
  } catch (error) {
    if (error instanceof RpcError) return errorText(id, error);
    log.warn(`solana ${method.slice(0, 60)} failed: ${(error as Error).stack ?? String(error)}`);
    return errorText(id, new RpcError(RPC_CODES.internal, `Internal error: ${(error as Error).message}`));
  }
}

/** Parses a request. For an invalid request, `method` is null. */
export function readRequest(request: unknown): { id: string | number | null; method: string | null; params: unknown } {
  if (typeof request !== 'object' || request === null) return { id: null, method: null, params: [] };
  const { jsonrpc, id, method, params } = request as Record<string, unknown>;
  const isValid = (jsonrpc === undefined || jsonrpc === '2.0') && typeof method === 'string';
  return {
    id: typeof id === 'string' || typeof id === 'number' ? id : null,
    method: isValid ? method : null,
    params: params ?? [],
  };
}

export function errorText(id: string | number | null, { code, message, data }: RpcError): string {
  const error: Json = { code, message, ...(data !== undefined && { data }) };
  return `{"jsonrpc":"2.0","error":${toJsonText(error)},"id":${JSON.stringify(id)}}`;
}
