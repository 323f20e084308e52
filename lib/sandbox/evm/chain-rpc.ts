import type { Pool } from 'undici';

/** Sends a JSON-RPC request to one chain. Rejects on a timeout or a JSON-RPC error. */
export type ChainRpc = (method: string, params: readonly unknown[]) => Promise<unknown>;

const TIMEOUT_MS = 10_000;

export function chainRpc(pool: Pool): ChainRpc {
  return async (method, params) => {
    const { body } = await pool.request({
      path: '/',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answer = (await body.json()) as { result?: unknown; error?: { message?: string } };
    if (answer.error) throw new Error(`The chain answered ${method} with: ${answer.error.message ?? 'an error'}`);
    return answer.result;
  };
}
