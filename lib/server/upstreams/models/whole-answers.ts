import type { Logger } from 'pino';
import { type ErrorCode, isApiError } from '@/lib/protocol/errors';
import { type RequestRecord, untilEnded } from '../../http/request-record';
import { Failover, type FailoverTimeouts, isSilence } from './failover';
import type { ModelRequest, UpstreamAnswer } from './model-exchange';
import type { ModelUpstream } from './model-upstream';
import { failureError, refusedError } from './upstream-error';
import { UpstreamFailed } from './upstream-failure';

/** Errors after which another upstream may succeed. */
const MAY_BE_BETTERED: ReadonlySet<ErrorCode> = new Set([
  'MODEL_BUSY',
  'MODEL_UNAVAILABLE',
  'MODEL_TIMEOUT',
  'MODEL_ANSWER_INVALID',
]);

interface WholeAsking {
  config: FailoverTimeouts & { answerBytesMax: number };
  log: Logger;
  requestId: string;
  record: RequestRecord;
}

/**
 * Asks a model's upstreams in turn until one gives a usable answer. Asks the next upstream after silence, overload, a
 * failure or an unreadable answer. Any other refusal ends the call.
 * @param read reads an answer of status 200; throws ApiError MODEL_ANSWER_INVALID if the answer is unusable
 * @throws ApiError of the last upstream that was asked
 */
export async function askForWhole<Model extends { readonly upstream: ModelUpstream }, Result>(
  models: readonly Model[],
  { config, log, requestId, record }: WholeAsking,
  question: (model: Model) => ModelRequest,
  read: (answer: UpstreamAnswer, model: Model) => Result,
): Promise<Result> {
  const turns = new Failover(models, config, log);
  for (;;) {
    const { current } = turns;
    const { upstream } = current;
    const attempt = record.asks(upstream);
    turns.begin();
    try {
      const asking = upstream.ask(
        { ...question(current), timeoutMs: turns.timeoutMs, traceparent: attempt?.traceparent },
        config.answerBytesMax,
      );
      const answer = await (attempt ? untilEnded(asking, attempt) : asking);
      if (answer.status !== 200) throw refusedError(answer, upstream);
      const result = read(answer, current);
      turns.worked();
      return result;
    } catch (error) {
      const isBetterable = isSilence(error) || (isApiError(error) && MAY_BE_BETTERED.has(error.code));
      if (!isBetterable && !(isApiError(error) && error.code === 'MODEL_MISCONFIGURED')) turns.abandoned();
      else {
        // Logs only a code, because the upstream's message may quote the request.
        log.warn({ requestId, upstream: upstream.name, reason: reasonOf(error) }, 'upstream gave no usable answer');
        turns.failed();
      }
      if (!isBetterable || !turns.next()) throw failureError(error);
    }
  }
}

function reasonOf(error: unknown): string {
  if (isApiError(error)) return error.code;
  return error instanceof UpstreamFailed ? error.reason : 'failed';
}
