import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { EHBP_HEADERS } from '@/lib/protocol/e2ee/ehbp/format';
import { USAGE_REQUEST_HEADER } from '@/lib/protocol/e2ee/ehbp/usage-metrics';
import { E2EE_SIGNING_ALGORITHM, ED25519_ALGORITHM } from '@/lib/protocol/e2ee/headers';
import { ExchangeHash } from '@/lib/protocol/tee/response-signature';
import type { EmbeddingsServer } from '../embeddings/embeddings-server';
import type { SimulatedEnclave, Tampering } from '../enclave/enclave';
import { FamilyReports } from '../enclave/families/family-reports';
import { type ChatRequest, readChatRequest } from '../guide/chat-request';
import type { Guide } from '../guide/guide';
import { type GuideReply, replyTo } from '../guide/reply';
import { pacedWrite } from '../http/paced-write';
import { readBody } from '../http/read-body';
import { Refusal, sendJson, sendText } from '../http/refusal';
import { type Completion, streamedCompletion, wholeCompletion } from './completion-body';
import { isEncrypted, openRequest } from './encrypted-request';
import { openSealed, type SealedAnswer } from './sealed-exchange';
import { CONTEXT_TOKENS, modelList, STAND_IN_MODELS, type StandInModel, type StandInPlace } from './models';
import { sightOf } from './picture-sight';
import { nonceOf } from './report-nonce';
import { SignedExchanges } from './signed-exchanges';

export interface InferenceOptions {
  guide: Guide;
  enclave: SimulatedEnclave | null;
  embeddings?: EmbeddingsServer;
  /** Provider whose protocol and models are simulated. Default: `enclave`, or `guide` without an enclave. */
  place?: StandInPlace;
  eventDelayMs?: number;
  now?: () => number;
}

const BODY_BYTES_MAX = 16 * 1024 * 1024;
const EVENT_DELAY_MS = 12;
const TAMPERED_NONCES_MAX = 1_000;
/** Encrypting an event takes milliseconds, so each encrypted event has several words. */
const PIECES_PER_SEALED_EVENT = 4;

/**
 * Simulates an inference server with OpenAI's chat API. The guide answers the chats. With an enclave, adds the protocol
 * of NEAR AI and Phala (attestation, signatures, end-to-end encryption) and Tinfoil's encryption of whole bodies
 * (EHBP).
 *
 * Paths are those after `/v1`. Errors are `{"error": {"message", "type", "code"}}`.
 */
export class InferenceServer {
  /** How to falsify attestations; undefined for honest attestations. */
  tampering: Tampering | undefined;
  readonly #tamperedNonces = new Map<string, Tampering>();
  readonly #models: readonly StandInModel[];
  readonly #exchanges = new SignedExchanges();
  readonly #families: FamilyReports | null;
  readonly #now: () => number;

  constructor(private readonly options: InferenceOptions) {
    this.#models = STAND_IN_MODELS.filter(
      ({ place }) => place === (options.place ?? (options.enclave === null ? 'guide' : 'enclave')),
    );
    this.#now = options.now ?? Date.now;
    this.#families = options.enclave && new FamilyReports(options.enclave);
  }

  /** Sets or clears the falsification for one nonce. */
  tamperWith(nonce: string, tampering: Tampering | undefined): void {
    this.#tamperedNonces.delete(nonce);
    if (tampering !== undefined) this.#tamperedNonces.set(nonce, tampering);
    const [oldest] = this.#tamperedNonces.keys();
    if (this.#tamperedNonces.size > TAMPERED_NONCES_MAX && oldest !== undefined) this.#tamperedNonces.delete(oldest);
  }

  tamperingOf(nonce: string): Tampering | undefined {
    return this.#tamperedNonces.get(nonce) ?? this.tampering;
  }

  /** Answers a request for a path after `/v1`. Sends refusals in OpenAI's format. */
  async handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    try {
      await this.#route(request, response, path);
    } catch (error) {
      if (!(error instanceof Refusal) || response.headersSent) throw error;
      sendJson(
        response,
        error.status,
        { error: { message: error.message, type: 'invalid_request_error', code: error.code } },
        error.headers,
      );
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const call = `${request.method} ${path}`;
    if (call === 'GET /models') return sendJson(response, 200, modelList(this.#models));
    if (call === 'POST /chat/completions') return this.#complete(request, response);
    if (call === 'POST /embeddings') return this.#embed(request, response);
    // Chutes' instances sign no answers. ChutesControl attests the instances.
    const enclave = this.options.place === 'chutes' ? null : this.options.enclave;
    if (enclave !== null && call === 'GET /attestation/report')
      return sendText(response, 200, this.#attest(enclave, url.searchParams));
    const signature = /^GET \/signature\/(?<id>[\w-]+)$/.exec(call);
    if (enclave !== null && signature?.groups?.['id'])
      return sendJson(response, 200, this.#signature(enclave, signature.groups['id'], url.searchParams));
    throw new Refusal(404, 'NOT_FOUND', 'There is nothing at this path.');
  }

  #attest(enclave: SimulatedEnclave, query: URLSearchParams): string {
    this.#requireAlgorithm(query);
    const { id, family } = this.#model(query.get('model') ?? '');
    const text = query.get('nonce') ?? '';
    const tampering = this.tamperingOf(text);
    const nonce = nonceOf(text);
    if (family !== undefined && this.#families !== null)
      return this.#families.attest(family, { model: id, nonce, nowMs: this.#now(), tampering });
    return JSON.stringify(enclave.attest(id, nonce, this.#now(), tampering));
  }

  #signature(enclave: SimulatedEnclave, id: string, query: URLSearchParams) {
    this.#requireAlgorithm(query);
    const text = this.#exchanges.textOf(id, query.get('model'));
    // The attestations of families other than `near-cloud` do not contain the ECDSA key, so this key does not sign
    // their answers.
    const { family } = this.#models.find(({ id: each }) => each === query.get('model')) ?? {};
    if (text === null || (family !== undefined && family !== 'near-cloud' && this.#algorithm !== ED25519_ALGORITHM))
      throw new Refusal(404, 'COMPLETION_NOT_FOUND', 'There is no recent signature for this completion and model.');
    if (this.#algorithm === ED25519_ALGORITHM)
      return {
        text,
        signature: enclave.signEd25519(text),
        signing_address: Buffer.from(enclave.ed25519Keys.publicKey).toString('hex'),
        signing_algo: ED25519_ALGORITHM,
      };
    return {
      text,
      signature: enclave.sign(text),
      signing_address: enclave.address,
      signing_algo: E2EE_SIGNING_ALGORITHM,
    };
  }

  async #complete(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request, BODY_BYTES_MAX);
    const encapsulatedKey = headerOf(request, EHBP_HEADERS.encapsulatedKey);
    if (encapsulatedKey !== undefined)
      return this.#openSealed(body, encapsulatedKey, response, (opened, answer) =>
        this.#answerSealed(opened, answer, tellsUsage(request)),
      );
    const asked = readChatRequest(body);
    const model = this.#model(asked.model);
    const header = (name: string) => headerOf(request, name);
    const isSealed = isEncrypted(header);
    const { enclave } = this.options;
    if (isSealed && (enclave === null || !model.isEncryptable))
      throw new Refusal(400, 'E2EE_NOT_SUPPORTED', 'This model does not accept encrypted requests.');
    const opened =
      isSealed && enclave !== null
        ? openRequest(asked, header, enclave, this.#algorithm)
        : { request: asked, seal: (content: string) => content, sealsAllFields: false };
    const completion = await this.#completionOf(model, opened.request);
    const requestHash = new ExchangeHash().update(body).hex();
    const remember = (responseHash: string) =>
      this.#exchanges.remember(completion.id, model.id, `${requestHash}:${responseHash}`);
    if (!asked.isStream) {
      const text = wholeCompletion(completion);
      remember(new ExchangeHash().update(Buffer.from(text)).hex());
      return sendText(response, 200, text);
    }
    const options = {
      includesUsage: asked.includesUsage,
      seal: opened.seal,
      ...(opened.sealsAllFields && { sealFurther: opened.seal }),
      piecesPerEvent: isSealed ? PIECES_PER_SEALED_EVENT : 1,
    };
    await this.#stream(response, streamedCompletion(completion, options), remember);
  }

  /** Answers a request whose whole body is encrypted. Encrypts the answer, even a refusal by `reply`. */
  async #openSealed(
    bytes: Buffer,
    encapsulatedKey: string,
    response: ServerResponse,
    reply: (body: Buffer, answer: SealedAnswer) => Promise<void> | void,
  ): Promise<void> {
    const { enclave } = this.options;
    if (enclave === null)
      throw new Refusal(400, 'E2EE_NOT_SUPPORTED', 'These models do not accept encrypted requests.');
    const exchange = await openSealed(bytes, encapsulatedKey, enclave.hpkeKeys.secretKey, response);
    if (exchange === null) return;
    try {
      await reply(exchange.body, exchange.answer);
    } catch (error) {
      if (!(error instanceof Refusal) || response.headersSent) throw error;
      exchange.answer.sendWhole(
        error.status,
        JSON.stringify({ error: { message: error.message, type: 'invalid_request_error', code: error.code } }),
      );
    }
  }

  async #embed(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request, BODY_BYTES_MAX);
    const encapsulatedKey = headerOf(request, EHBP_HEADERS.encapsulatedKey);
    const model = this.#models.find(({ isEmbedding }) => isEmbedding);
    const { embeddings } = this.options;
    if (!model || !embeddings || encapsulatedKey === undefined)
      throw new Refusal(400, 'E2EE_REQUIRED', 'These models accept only encrypted embedding requests.');
    await this.#openSealed(body, encapsulatedKey, response, (opened, answer) => {
      const vectors = embeddings.answer(opened, model.id);
      const usage = { ...vectors.usage, completion_tokens: 0, model: model.id };
      answer.sendWhole(200, JSON.stringify(vectors), tellsUsage(request) ? usage : null);
    });
  }

  async #answerSealed(body: Buffer, answer: SealedAnswer, tellsUsage: boolean): Promise<void> {
    const asked = readChatRequest(body);
    const model = this.#model(asked.model);
    if (!model.isEncryptable || model.isEmbedding)
      throw new Refusal(400, 'E2EE_NOT_SUPPORTED', 'This model does not accept encrypted requests.');
    const completion = await this.#completionOf(model, asked);
    const usage = tellsUsage ? { ...completion.reply.usage, model: model.id } : null;
    if (!asked.isStream) return answer.sendWhole(200, wholeCompletion(completion), usage);
    const { eventDelayMs = EVENT_DELAY_MS } = this.options;
    answer.beginStream(tellsUsage);
    for (const event of streamedCompletion(completion, {
      includesUsage: asked.includesUsage,
      seal: (content) => content,
      piecesPerEvent: 1,
    })) {
      if (!(await answer.write(event))) return;
      if (eventDelayMs > 0) await wait(eventDelayMs);
    }
    answer.endStream(usage);
  }

  async #completionOf(model: StandInModel, asked: ChatRequest): Promise<Completion> {
    return {
      id: `chatcmpl-${randomBytes(16).toString('hex')}`,
      model: model.id,
      created: Math.floor(this.#now() / 1_000),
      reply: await this.#reply(model, asked),
      topLogprobs: asked.topLogprobs,
    };
  }

  async #reply(model: StandInModel, asked: ChatRequest): Promise<GuideReply> {
    const reply = replyTo(asked, this.options.guide, await sightOf(model, asked));
    const { prompt_tokens: tokens } = reply.usage;
    if (tokens > CONTEXT_TOKENS)
      throw new Refusal(
        400,
        'context_length_exceeded',
        `This model accepts at most ${CONTEXT_TOKENS} tokens, but the messages have ${tokens}. Send shorter messages.`,
      );
    return reply;
  }

  /**
   * Streams an answer. If the client disconnects early, stores no signature, because a signature covers the whole
   * stream.
   */
  async #stream(
    response: ServerResponse,
    events: Generator<string>,
    remember: (responseHash: string) => void,
  ): Promise<void> {
    const { eventDelayMs = EVENT_DELAY_MS } = this.options;
    const hash = new ExchangeHash();
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    for (const event of events) {
      const bytes = Buffer.from(event);
      hash.update(bytes);
      // A client can request the signature right after `[DONE]`, so the hash is stored first.
      if (event === 'data: [DONE]\n\n') remember(hash.hex());
      if (!(await pacedWrite(response, bytes))) return;
      if (eventDelayMs > 0) await wait(eventDelayMs);
    }
    response.end();
  }

  get #algorithm(): string {
    return this.options.place === 'near' ? ED25519_ALGORITHM : E2EE_SIGNING_ALGORITHM;
  }

  #requireAlgorithm(query: URLSearchParams): void {
    if ((query.get('signing_algo') ?? this.#algorithm) !== this.#algorithm)
      throw new Refusal(400, 'SIGNING_ALGORITHM', `signing_algo must be ${this.#algorithm}.`);
  }

  #model(id: string): StandInModel {
    const model = this.#models.find((candidate) => candidate.id === id);
    if (model) return model;
    throw new Refusal(
      404,
      'MODEL_NOT_FOUND',
      `There is no model with this name. The models are ${this.#models.map((each) => each.id).join(', ')}.`,
    );
  }
}

function tellsUsage(request: IncomingMessage): boolean {
  return headerOf(request, USAGE_REQUEST_HEADER) === 'true';
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
