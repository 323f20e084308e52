import { readAnswer } from '@/lib/protocol/jsonrpc/answer';
import { requestText, takeIds } from './request-text';
import type { Upstream } from './upstream';

/**
 * Sends a call to an upstream for the gateway itself.
 * @returns parsed result
 * @throws UpstreamFailure; Error if the node answered with an error
 */
export async function askNode(
  upstream: Upstream,
  item: { method: string; params: string },
  timeoutMs: number,
): Promise<unknown> {
  const { bytes } = await upstream.post(
    requestText({ ...item, paramsByName: false, id: 'null' }, takeIds(1)),
    timeoutMs,
  );
  const answer = readAnswer(bytes);
  if (!answer) throw new Error('its answer to the health check is not a JSON-RPC response');
  const value = JSON.parse(bytes.toString('utf8', answer.valueStart, answer.valueEnd)) as unknown;
  if (answer.kind === 'error')
    throw new Error(
      `it answered the health check with error ${String((value as { code?: unknown }).code).slice(0, 20)}`,
    );
  return value;
}
