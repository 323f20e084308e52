import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { type Dispatcher, errors } from 'undici';
import type { RunningChain } from '../evm/chain';
import { mayChange } from '@/lib/sandbox/evm/chain-rpc';
import { Refusal } from './refusal';

/**
 * Sends JSON-RPC bytes to a chain and streams the answer to `response`. The answer begins once the chain's state is on
 * disk. If the client disconnects, aborts the request to the chain.
 *
 * @throws {Refusal} 504 if a timeout of `chain.pool` expires, 502 if the connection or the disk failed
 */
export async function forward(chain: RunningChain, body: Buffer, response: ServerResponse): Promise<void> {
  if (response.destroyed) return;
  const gone = new AbortController();
  const onClose = () => gone.abort();
  response.once('close', onClose);
  try {
    const answer = await ask(chain, body, gone.signal);
    const { 'content-type': type = 'application/json', 'content-length': length } = answer.headers as Record<
      string,
      string | undefined
    >;
    response.writeHead(answer.statusCode, {
      'content-type': type,
      ...(length !== undefined && { 'content-length': length }),
    });
    await pipeline(answer.body, response);
  } catch (error) {
    if (!gone.signal.aborted) throw asRefusal(error as Error);
  } finally {
    response.removeListener('close', onClose);
  }
}

async function ask(
  { pool, state, afterChange }: RunningChain,
  body: Buffer,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const send = () =>
    pool.request({ path: '/', method: 'POST', headers: { 'content-type': 'application/json' }, body, signal });
  const change = async () => {
    try {
      return await send();
    } finally {
      await afterChange();
    }
  };
  const answer = await (mayChange(body) ? state.write(change) : send());
  try {
    await state.settled();
  } catch (error) {
    answer.body.destroy();
    throw error;
  }
  return answer;
}

function asRefusal(error: Error): Refusal {
  const isTimeout =
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError ||
    error instanceof errors.ConnectTimeoutError;
  if (isTimeout) return new Refusal(504, 'CHAIN_TIMEOUT', 'The stand-in chain did not answer in time.');
  return new Refusal(502, 'CHAIN_FAILED', `The call to the stand-in chain failed: ${error.message}`);
}
