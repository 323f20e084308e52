import type { Logger } from 'pino';
import { apiError } from '@/lib/protocol/errors';
import type { Network } from '@/lib/protocol/networks';
import type { Call } from '../http/call';
import { isUpstreamFailure } from '../upstreams/nodes/upstream-failure';

/** The error that a caller sees when forwarding failed, after the operator's log has it. Anything else is given back as it is. */
export function upstreamFailed(error: unknown, network: Network, call: Call, log: Logger): unknown {
  if (!isUpstreamFailure(error)) return error;
  if (error.reason === 'aborted') return apiError('CLIENT_CLOSED_REQUEST');
  log.warn({ network: network.slug, reason: error.reason, requestId: call.requestId }, `the upstream failed: ${error.message}`);
  return apiError('UPSTREAM_FAILED', { message: `The upstream node of ${network.slug} gave no usable answer: ${error.message}.` });
}
