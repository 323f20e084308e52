import {
  type Attestation,
  attestedKeyOf,
  type ChatAnswer,
  type ChatMessage,
  PrivateChatError,
  type PrivateChatEvent,
  type SignatureCheck,
} from '@/lib/client/private-chat';
import { type AnswerCost, costOf } from './charge';
import { type ChatRun, keepExport } from './chat-run';
import { attestationJson, describeAttestation, describeEnd, describeSignature, describeStop } from './described';

const PROMPT = '\n> ';
const HISTORY_TURNS_MAX = 200;
const NOT_ENCRYPTED = 'This model accepts no encryption: the gateway can read questions and answers.';
const SIGNED = ' The enclave signs it.';
const UNSIGNED = ' The enclave signs nothing, so nothing proves the answer.';

/**
 * Attests the model, then answers the question and, in a conversation, every further line.
 *
 * @throws as `PrivateChatSession.send` does
 */
export async function converse({
  options,
  session,
  model,
  connection,
  context,
}: Omit<ChatRun, 'attestedKey' | 'hasLateKey'>): Promise<ConversationEnd> {
  const run: ChatRun = { options, session, model, connection, context, attestedKey: null, hasLateKey: false };
  await answerAll(run);
  return run.hasLateKey ? 'attested-after' : 'verified';
}

/**
 * `verified`: every answer's key was attested before the answer. `attested-after`: at least one key was attested only
 * afterwards.
 */
export type ConversationEnd = 'verified' | 'attested-after';

async function answerAll(run: ChatRun): Promise<void> {
  const { options, session, context } = run;
  const attestation = await session.start({ signal: context.signal });
  noteAttestation(attestation, run);
  if (!run.model.can.encrypt && !options.json)
    context.err(`${NOT_ENCRYPTED}${attestation.verdict.key === null ? UNSIGNED : SIGNED}\n\n`);
  const messages: ChatMessage[] = options.system === null ? [] : [{ role: 'system', content: options.system }];
  if (options.question !== null) await ask(options.question, messages, run);
  if (!options.interactive) return;
  context.err(PROMPT);
  for await (const line of context.lines) {
    if (line.trim() === '/quit') return;
    if (line.trim() === '/attest') noteAttestation(await session.reattest({ signal: context.signal }), run);
    else if (line.trim() !== '') await ask(line, messages, run);
    context.err(PROMPT);
  }
}

async function ask(question: string, messages: ChatMessage[], run: ChatRun): Promise<void> {
  const { options, session, model, connection, context } = run;
  const asked: ChatMessage = { role: 'user', content: question };
  const parameters = options.maxTokens === null ? {} : { max_tokens: options.maxTokens };
  try {
    for await (const event of session.send([...messages, asked], { parameters, signal: context.signal })) {
      note(event, run);
      if (event.type !== 'done') continue;
      messages.push(asked, { role: 'assistant', content: event.answer.text });
      messages.splice(0, Math.max(0, messages.length - HISTORY_TURNS_MAX));
      const cost = await costOf(event.answer, model.price, connection);
      if (options.json)
        context.out(
          `${JSON.stringify(asJson(event.answer, event.signature, event.attestation, cost, options.showCiphertext), null, 2)}\n`,
        );
      else context.err(describeEnd(event.answer, event.signature, cost));
    }
  } catch (error) {
    // After a fault that no intermediary can cause, the conversation continues with the next line.
    if (!options.interactive || !(error instanceof PrivateChatError) || error.isTampering) throw error;
    context.err(describeStop(error));
  }
}

function note(event: PrivateChatEvent, run: ChatRun): void {
  const { options, context } = run;
  const isShown = options.showCiphertext && !options.json;
  if (event.type === 'attested') noteAttestation(event.attestation, run);
  if (event.type === 'signature' && event.check.outcome === 'attested-after') run.hasLateKey = true;
  if (event.type === 'sent' && isShown)
    context.err(`\nSENT, ${event.request.isEncrypted ? 'encrypted' : 'in plain text'}:\n${event.request.bodyText}\n\n`);
  if (event.type === 'delta' && !options.json && event.kind === 'answer') context.out(event.text);
  if (event.type === 'signature' && !options.json) context.out('\n');
  const isFaulty =
    event.type === 'signature' &&
    (event.check.outcome === 'invalid' || (event.check.outcome === 'missing' && event.check.attestedAddress !== ''));
  if (isFaulty) context.err(`\n${describeSignature(event.check)}\n`);
  if (event.type === 'done' && isShown) context.err(`\nRECEIVED:\n${event.answer.received.text()}`);
}

function noteAttestation(attestation: Attestation, run: ChatRun): void {
  const { options, context, attestedKey: keyBefore } = run;
  run.attestedKey = attestedKeyOf(attestation);
  if (options.exportFile !== null) keepExport(options.exportFile, attestation.exportText());
  if (options.json) return;
  context.err(`${describeAttestation(attestation)}\n`);
  if (keyBefore !== null && keyBefore !== run.attestedKey)
    context.err(
      `The enclave has ANOTHER KEY than before (${keyBefore}): it was restarted, or another enclave answers in its place.\n\n`,
    );
}

function asJson(
  answer: ChatAnswer,
  signature: SignatureCheck,
  attestation: Attestation,
  cost: AnswerCost | null,
  withBytes: boolean,
) {
  const { text, reasoning, finishReason, usage, completionId, requestId, firstTextMs, totalMs, sent, received } =
    answer;
  return {
    answer: { text, reasoning, finishReason, usage, completionId, requestId, firstTextMs, totalMs },
    signature,
    cost,
    attestation: attestationJson(attestation),
    ...(withBytes ? { sent: sent.bodyText, received: received.text() } : {}),
  };
}
