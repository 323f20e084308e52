import type { ServerResponse } from 'node:http';
import { errors, type Pool } from 'undici';
import { Refusal } from './refusal';

/**
 * Sends JSON-RPC bytes to a chain as they are, and its answer on to `response` as it comes. The call
 * is given up when whoever asked has gone.
 *
 * @throws {Refusal} 504 where the chain was silent for its pool's time-outs, 502 where the connection failed
 */
export async function forward(pool: Pool, body: Buffer, response: ServerResponse): Promise<void> {
  if (response.destroyed) return;
  const gone = new AbortController();
  const onClose = () => gone.abort();
  response.once('close', onClose);
  try {
    await pool.stream(
      { path: '/', method: 'POST', headers: { 'content-type': 'application/json' }, body, signal: gone.signal },
      ({ statusCode, headers }) => {
        const { 'content-type': type = 'application/json', 'content-length': length } = headers as Record<string, string | undefined>;
        response.writeHead(statusCode, { 'content-type': type, ...(length !== undefined && { 'content-length': length }) });
        return response;
      },
    );
  } catch (error) {
    if (!gone.signal.aborted) throw asRefusal(error as Error);
  } finally {
    response.removeListener('close', onClose);
  }
}

function asRefusal(error: Error): Refusal {
  const isTimeout = error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError || error instanceof errors.ConnectTimeoutError;
  if (isTimeout) return new Refusal(504, 'CHAIN_TIMEOUT', 'The stand-in chain did not answer in time.');
  return new Refusal(502, 'CHAIN_FAILED', `The stand-in chain broke off the call: ${error.message}`);
}
