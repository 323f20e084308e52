import {
  type Attestation,
  attestedKeyOf,
  type ChatMessage,
  PrivateChatError,
  type PrivateChatEvent,
  type PrivateChatSession,
  type SignatureCheck,
} from '@/lib/client/private-chat';
import { privateRefusal, TurnpikeError } from '../../src/turnpike-error';
import type { Turnpike } from '../../src/turnpike';
import { costOfRequest } from '../call-cost';
import type { CommandIo } from '../command';
import { attestationJson, describeAttestation, describeSignature, describeVerdict } from '../described-attestation';
import { writeText } from '../files';
import type { MeasurementWatch } from '../measurement-watch';
import { inOwnWords } from '../own-words';
import { jsonText, printableLine } from '../printable';

const PROMPT = '\n> ';
const HISTORY_TURNS_MAX = 200;
const NOT_ENCRYPTED = 'This model does not accept encryption, so the gateway can read questions and answers.';
const UNSIGNED = ' The enclave does not sign its answers, so nothing proves them.';

type Done = Extract<PrivateChatEvent, { type: 'done' }>;

interface ConversationParts {
  session: PrivateChatSession;
  watch: Pick<MeasurementWatch, 'attested' | 'tell'>;
  customer: Turnpike;
  io: CommandIo;
  model: string;
  isEncrypted: boolean;
  system: string | null;
  question: string | null;
  isInteractive: boolean;
  parameters: Readonly<Record<string, unknown>>;
  isVerbose: boolean;
  showsCiphertext: boolean;
  exportFile: string | null;
  isJson: boolean;
}

export class Conversation {
  readonly #system: readonly ChatMessage[];
  readonly #messages: ChatMessage[] = [];
  readonly #gateway: string;
  #attestedKey: string | null = null;
  #hasLateKey = false;

  constructor(private readonly parts: ConversationParts) {
    this.#system = parts.system === null ? [] : [{ role: 'system', content: parts.system }];
    this.#gateway = new URL(parts.customer.url).host;
  }

  /**
   * Attests the model, then answers the question and, if interactive, every line of input.
   * @returns false if the enclave attested the signing key of an answer only after that answer
   * @throws {TurnpikeError | GatewayError | UnreachableError}
   */
  async hold(): Promise<boolean> {
    try {
      await this.#answerAll();
    } catch (error) {
      if (!(error instanceof PrivateChatError)) throw error;
      throw this.#refusal(error);
    }
    return !this.#hasLateKey;
  }

  async #answerAll(): Promise<void> {
    const { session, watch, io, question, isInteractive, isEncrypted, isJson } = this.parts;
    const attestation = await session.start({ signal: io.signal });
    this.#attested(attestation);
    if (!isEncrypted && !isJson) io.err(`${NOT_ENCRYPTED}${attestation.verdict.key === null ? UNSIGNED : ''}\n`);
    if (question !== null) await this.#ask(question);
    if (!isInteractive) return;
    watch.tell();
    io.err(PROMPT);
    for await (const line of io.readLines()) {
      if (line.trim() === '/quit') return;
      if (line.trim() === '/attest') this.#attested(await session.reattest({ signal: io.signal }));
      else if (line.trim() !== '') await this.#answerLine(line);
      watch.tell();
      io.err(PROMPT);
    }
    io.signal.throwIfAborted();
  }

  /**
   * Answers one line. Prints a failure of the private chat; rethrows other errors and possible tampering.
   */
  async #answerLine(line: string): Promise<void> {
    try {
      await this.#ask(line);
    } catch (error) {
      if (!(error instanceof PrivateChatError) || error.isTampering) throw error;
      const { message, remedy } = inOwnWords(privateRefusal(error));
      this.parts.io.err(`${message}\n${remedy}\n`);
    }
  }

  async #ask(question: string): Promise<void> {
    const { session, io, parameters, isJson } = this.parts;
    const asked: ChatMessage = { role: 'user', content: question };
    let shown = '';
    let signature: SignatureCheck | null = null;
    let done: Done | null = null;
    try {
      for await (const event of session.send([...this.#system, ...this.#messages, asked], {
        parameters,
        signal: io.signal,
      })) {
        this.#show(event);
        if (event.type === 'delta' && event.kind === 'answer') {
          shown += event.text;
          if (!isJson) io.out(event.text);
        } else if (event.type === 'signature') signature = event.check;
        else if (event.type === 'done') done = event;
      }
    } finally {
      if (!isJson && shown !== '') io.out('\n');
      if (!isJson && signature !== null) io.err(`${describeSignature(signature)}\n`);
    }
    if (done === null) throw new TurnpikeError('ANSWER_BROKEN');
    this.#hasLateKey ||= done.signature.outcome === 'attested-after';
    this.#messages.push(asked, { role: 'assistant', content: done.answer.text });
    this.#messages.splice(0, Math.max(0, this.#messages.length - HISTORY_TURNS_MAX));
    await this.#end(done);
  }

  async #end(done: Done): Promise<void> {
    const { io, customer, isJson, showsCiphertext } = this.parts;
    const { answer } = done;
    const { requestId } = answer;
    const costUsd = requestId === null ? null : await costOfRequest(customer, requestId);
    if (isJson) io.out(`${jsonText(this.#json(done, costUsd), 2)}\n`);
    else if (showsCiphertext) io.err(`\nRECEIVED:\n${answer.received.text()}\n`);
    if (isJson) return;
    if (answer.refusal !== undefined) io.err(`${printableLine(`The model refused: ${answer.refusal}`)}\n`);
    if (answer.finishReason !== null && answer.finishReason !== 'stop')
      io.err(`${printableLine(`Finish reason: ${answer.finishReason}.`)}\n`);
    if (costUsd !== null) io.err(`It cost ${costUsd} USD.\n`);
  }

  #json({ answer, signature, attestation }: Done, costUsd: string | null) {
    const { model, showsCiphertext } = this.parts;
    const { text, reasoning, refusal, finishReason, usage, requestId, sent, received } = answer;
    return {
      model,
      answer: text,
      reasoning,
      ...(refusal !== undefined && { refusal }),
      finishReason,
      usage,
      costUsd,
      requestId,
      verdict: attestation.verdict.conclusion,
      signature: signature.outcome,
      signatureCheck: signature,
      attestation: attestationJson(attestation, this.#gateway),
      ...(showsCiphertext && { sent: sent.bodyText, received: received.text() }),
    };
  }

  #show(event: PrivateChatEvent): void {
    const { io, isJson, showsCiphertext } = this.parts;
    if (event.type === 'attested') this.#attested(event.attestation);
    if (event.type === 'sent' && showsCiphertext && !isJson)
      io.err(`\nSENT, ${event.request.isEncrypted ? 'encrypted' : 'in plain text'}:\n${event.request.bodyText}\n\n`);
  }

  #attested(attestation: Attestation): void {
    const { io, watch, isJson, exportFile } = this.parts;
    watch.attested(attestation);
    const before = this.#attestedKey;
    this.#attestedKey = attestedKeyOf(attestation);
    if (exportFile !== null) writeText(exportFile, attestation.exportText());
    if (isJson) return;
    io.err(this.#described(attestation));
    if (before !== null && before !== this.#attestedKey)
      io.err(
        `The enclave has ANOTHER KEY than before (${before}): it was restarted, or another enclave answers in its place.\n`,
      );
  }

  #described(attestation: Attestation): string {
    return this.parts.isVerbose
      ? `${describeAttestation(attestation, this.#gateway)}\n`
      : `${describeVerdict(attestation)}\n`;
  }

  #refusal(error: PrivateChatError): TurnpikeError {
    const { io, isJson, isVerbose, exportFile } = this.parts;
    const { code, message, remedy } = privateRefusal(error);
    const { attestation, isTampering } = error;
    if (attestation !== null && exportFile !== null) writeText(exportFile, attestation.exportText());
    if (attestation !== null && isVerbose && !isJson) io.err(this.#described(attestation));
    return new TurnpikeError(code, {
      message: isTampering ? `STOPPED: ${message}` : message,
      remedy,
      detail: attestation === null ? {} : { attestation: attestationJson(attestation, this.#gateway) },
      cause: error,
    });
  }
}
