import type { Logger } from 'pino';
import { type Attachment, isLastingRefusal } from '@/lib/protocol/chat/attachments';
import type { ChatParts } from './chat';
import type { ChatModel } from './chat-model';
import { untilEnded } from '../http/request-record';
import { dispensableAttachments, isEffortDispensable, odditiesOf, type PaidChat, sentLimits } from './paid-chat';
import type { UpstreamAnswer } from '../upstreams/models/model-exchange';
import { type Oddities, odditiesAfter, refusalText } from '../upstreams/models/server-oddities';
import { Failover, isBusy, isSilence } from '../upstreams/models/failover';
import { UpstreamFailed } from '../upstreams/models/upstream-error';
import { isSound, mayBeBettered, type WholeAnswer } from './whole-answer';

/** Answer, and the chat as it was sent to the upstream that answered. */
export interface Answered<T> {
  chat: PaidChat;
  result: T;
}

/**
 * Asks the model's upstreams in turn until one returns a usable answer. Asks the next upstream after silence, 402, 408,
 * 429, 5xx or an unreadable answer. Skips busy upstreams. Stops after any other refusal, or once an answer has begun.
 * An attested model has no failover, because only its enclave has the private key.
 * @param ask makes one attempt; its timeout applies until the answer begins
 * @param wholeOf returns the whole answer in a result; null if the result is a stream that has begun
 * @throws UpstreamFailed from the last attempt, if no upstream answers
 */
export async function askInTurn<T>(
  chat: PaidChat,
  { config, log }: Pick<ChatParts, 'config' | 'log'>,
  ask: (chat: PaidChat, timeoutMs: number) => Promise<T>,
  wholeOf: (result: T) => WholeAnswer | null,
): Promise<Answered<T>> {
  const models = new Failover<ChatModel>([chat.model, ...chat.others], config, log, chat.paid.caller.accountId);
  const asking = (attempt: PaidChat): Promise<Answered<T>> =>
    askAsTaken(attempt, (each) => ask(each, models.timeoutMs), wholeOf);
  for (;;) {
    const { current } = models;
    const recorded = chat.paid.call.record.asks(current.upstream);
    const attempt: PaidChat = { ...chat, model: current, traceparent: recorded?.traceparent ?? null };
    const outcome = await watched(
      models,
      attempt,
      log,
      () => (recorded ? untilEnded(asking(attempt), recorded) : asking(attempt)),
      ({ result }) => wholeOf(result),
    );
    if ('error' in outcome) {
      if (!(isSilence(outcome.error) || isBusy(outcome.error)) || !models.next()) throw outcome.error;
    } else {
      const whole = wholeOf(outcome.result.result);
      if (whole === null || !mayBeBettered(whole) || !models.next()) return outcome.result;
    }
  }
}

/**
 * Sends a request. If the server refuses an optional part, retries without it, and remembers the refusal if the retry
 * succeeds.
 */
async function askAsTaken<T>(
  chat: PaidChat,
  ask: (chat: PaidChat) => Promise<T>,
  wholeOf: (result: T) => WholeAnswer | null,
): Promise<Answered<T>> {
  let attempt = chat;
  const lasting = new Set<Attachment>();
  for (;;) {
    const result = await ask(attempt);
    const whole = wholeOf(result);
    const { model } = attempt;
    if (whole?.kind !== 'refusal') {
      if (attempt.oddities) learn(attempt, attempt.oddities, lasting);
      return { chat: attempt, result };
    }
    const known = odditiesOf(attempt);
    const sent = {
      limits: sentLimits(attempt),
      streamOptions: attempt.body.request.stream === true,
      effort: isEffortDispensable(attempt),
      attachments: dispensableAttachments(attempt),
    };
    const oddities =
      model.capabilities.supportsTeeAttestation || attempt.native ? null : odditiesAfter(whole.answer, known, sent);
    if (oddities === null) return { chat: attempt, result };
    for (const kind of lastingAttachments(whole.answer, attempt, oddities)) lasting.add(kind);
    attempt = { ...attempt, oddities };
  }
}

function lastingAttachments({ body }: UpstreamAnswer, attempt: PaidChat, next: Oddities): Attachment[] {
  const known = odditiesOf(attempt);
  const dropped = [...dispensableAttachments(attempt)].filter((kind) => next.has(kind) && !known.has(kind));
  return dropped.length > 0 && isLastingRefusal(refusalText(body), attempt.body.request) ? dropped : [];
}

function learn({ model: { id, upstream } }: PaidChat, oddities: Oddities, lasting: ReadonlySet<Attachment>): void {
  upstream.oddities.learn(id, oddities);
  if (lasting.size > 0) upstream.oddities.learnAttachments(id, lasting);
}

async function watched<T>(
  models: Failover<ChatModel>,
  {
    model: { upstream },
    paid: {
      call: { requestId },
    },
  }: PaidChat,
  log: Logger,
  ask: () => Promise<T>,
  wholeOf: (result: T) => WholeAnswer | null,
): Promise<{ result: T } | { error: unknown }> {
  models.begin();
  try {
    const result = await ask();
    const whole = wholeOf(result);
    if (whole === null || isSound(whole)) models.worked();
    else {
      const status = whole.kind === 'refusal' ? whole.answer.status : null;
      // Logs only the status, because the refusal's text may quote the prompt.
      log.warn(
        { requestId, upstream: upstream.name, status },
        whole.kind === 'refusal' ? 'upstream refused a chat' : 'upstream answer could not be parsed',
      );
      models.failed();
    }
    return { result };
  } catch (error) {
    if (!(error instanceof UpstreamFailed) || error.reason === 'gone' || error.reason === 'too-long' || isBusy(error))
      models.abandoned();
    else {
      log.warn(
        { requestId, upstream: upstream.name, reason: error.reason, code: codeOf(error.cause) },
        'upstream did not answer',
      );
      models.failed();
    }
    return { error };
  }
}

function codeOf(cause: unknown): string | null {
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  return typeof code === 'string' ? code : null;
}
