import type { Logger } from 'pino';
import type { ChatModel } from './chat-model';
import type { ChatParts } from './chat';
import type { PaidChat } from './paid-chat';
import type { ModelUpstream } from '../upstreams/models/model-upstream';
import { UpstreamFailed } from '../upstreams/models/upstream-failure';
import { isSound, mayBeBettered, type WholeAnswer } from './whole-answer';

/** With less left of the time, no further upstream is asked. */
const ATTEMPT_MS_MIN = 50;

/** What an upstream answered, and the chat as that upstream has it. */
export interface Answered<T> {
  chat: PaidChat;
  result: T;
}

/**
 * Asks the upstreams that have the model, one after another, until one gives an answer that is worth passing on. The
 * next one is asked where an upstream cannot be reached, takes too long, is overloaded (429), fails (5xx) or says
 * nothing that can be read; never for another refusal, never once something of an answer has begun, and never for an
 * attested model, whose key only its own enclave has.
 *
 * @param ask one attempt, which may take so long until its answer begins
 * @param wholeOf what is whole of an answer; null where it is a stream that has begun
 * @throws UpstreamFailed of the last one, where none answers
 */
export async function askInTurn<T>(
  chat: PaidChat,
  { config, log }: Pick<ChatParts, 'config' | 'log'>,
  ask: (chat: PaidChat, timeoutMs: number) => Promise<T>,
  wholeOf: (result: T) => WholeAnswer | null,
): Promise<Answered<T>> {
  const { firstByteTimeoutMs, failoverTimeoutMs } = config;
  const startedAt = performance.now();
  const models = inOrder([chat.model, ...chat.others], startedAt);
  for (const [index, model] of models.entries()) {
    const attempt = { ...chat, model };
    const leftMs = failoverTimeoutMs - (performance.now() - startedAt);
    const timeoutMs = index === 0 ? firstByteTimeoutMs : Math.min(firstByteTimeoutMs, Math.ceil(leftMs));
    const isLast = index === models.length - 1;
    const outcome = await watched(attempt, log, () => ask(attempt, timeoutMs), wholeOf);
    const isOver = isLast || failoverTimeoutMs - (performance.now() - startedAt) < ATTEMPT_MS_MIN;
    if ('error' in outcome) {
      if (isOver || !mayTryAnother(outcome.error)) throw outcome.error;
    } else {
      const whole = wholeOf(outcome.result);
      if (isOver || whole === null || !mayBeBettered(whole)) return { chat: attempt, result: outcome.result };
    }
  }
  throw new UpstreamFailed('away');
}

/** Those first that seem well, in the order of the configuration; the others are the last resort. */
function inOrder(models: readonly ChatModel[], now: number): readonly ChatModel[] {
  if (models.length === 1) return models;
  const isWell = ({ upstream }: ChatModel): boolean => !upstream.isUnlisted && upstream.breaker.admits(now);
  return [...models.filter(isWell), ...models.filter((model) => !isWell(model))];
}

/** Makes an attempt, and enters into the upstream's record how it went. Never rejects. */
async function watched<T>({ model: { upstream }, paid: { call: { requestId } } }: PaidChat, log: Logger, ask: () => Promise<T>, wholeOf: (result: T) => WholeAnswer | null): Promise<{ result: T } | { error: unknown }> {
  const { breaker } = upstream;
  if (breaker.admits(performance.now())) breaker.begin();
  try {
    const result = await ask();
    const whole = wholeOf(result);
    if (whole === null || isSound(whole)) breaker.succeeded();
    else {
      const status = whole.kind === 'refusal' ? whole.answer.status : null;
      // What it says may quote the prompt: only its status is logged.
      log.warn({ requestId, upstream: upstream.name, status }, whole.kind === 'refusal' ? 'an upstream refused a chat' : 'the answer of an upstream could not be read');
      noteFailure(upstream, log);
    }
    return { result };
  } catch (error) {
    if (!(error instanceof UpstreamFailed) || error.reason === 'gone' || error.reason === 'too-long') breaker.abandoned(performance.now());
    else {
      log.warn({ requestId, upstream: upstream.name, reason: error.reason, code: codeOf(error.cause) }, 'an upstream gave no answer');
      noteFailure(upstream, log);
    }
    return { error };
  }
}

/** Enters a failure into an upstream's record. */
export function noteFailure({ name, breaker }: ModelUpstream, log: Logger): void {
  if (breaker.failed(performance.now())) log.warn({ upstream: name }, 'an upstream keeps failing: where another has its models, that one is asked first');
}

function mayTryAnother(error: unknown): boolean {
  return error instanceof UpstreamFailed && (error.reason === 'away' || error.reason === 'timeout');
}

function codeOf(cause: unknown): string | null {
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  return typeof code === 'string' ? code : null;
}
