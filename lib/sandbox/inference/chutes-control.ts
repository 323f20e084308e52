import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { INVOKE_HEADERS, MlKemError } from '@/lib/protocol/e2ee/ml-kem/format';
import { AnswerSealer, eventOf, openBody, sealWholeAnswer } from '@/lib/protocol/e2ee/ml-kem/recipient';
import type { SimulatedEnclave, Tampering } from '../enclave/enclave';
import { FamilyReports } from '../enclave/families/family-reports';
import { type ModelInstance, NONCE_SECONDS_TOLD } from '../enclave/model-instances';
import { type ChatRequest, readChatRequest } from '../guide/chat-request';
import type { Guide } from '../guide/guide';
import { replyTo } from '../guide/reply';
import { pacedWrite } from '../http/paced-write';
import { readBody } from '../http/read-body';
import { Refusal, sendJson, sendText } from '../http/refusal';
import { type Completion, streamedCompletion, wholeCompletion } from './completion-body';
import { modelOfChute, type StandInModel } from './models';
import { sightOf } from './picture-sight';
import { nonceOf } from './report-nonce';

interface ChutesControlOptions {
  guide: Guide;
  enclave: SimulatedEnclave;
  tamperingOf: (nonce: string) => Tampering | undefined;
  eventDelayMs?: number;
  now?: () => number;
}

const BODY_BYTES_MAX = 16 * 1024 * 1024;
const EVENT_DELAY_MS = 12;
const CHAT_PATH = '/v1/chat/completions';
const DONE = 'data: [DONE]\n\n';

/**
 * Simulates Chutes' API for encrypted chats (docs.chutes.ai, "E2e Encryption"). Lists a model's instances with keys and
 * nonces, and returns the instances' evidence. Simulates both the relay and the instances. Errors are `{"detail"}`.
 */
export class ChutesControl {
  readonly #reports: FamilyReports;
  readonly #now: () => number;

  constructor(private readonly options: ChutesControlOptions) {
    this.#reports = new FamilyReports(options.enclave);
    this.#now = options.now ?? Date.now;
  }

  async handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    try {
      await this.#route(request, response, path);
    } catch (error) {
      if (!(error instanceof Refusal) || response.headersSent) throw error;
      sendJson(response, error.status, { detail: error.message }, error.headers);
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const call = `${request.method} ${path}`;
    if (call === 'POST /e2e/invoke') return this.#invoke(request, response);
    const { instances, evidence } =
      /^GET \/(?:e2e\/instances\/(?<instances>[\w-]+)|chutes\/(?<evidence>[\w-]+)\/evidence)$/.exec(call)?.groups ?? {};
    if (instances) return this.#list(response, instances);
    if (evidence)
      return this.#attest(
        response,
        modelOf(evidence),
        new URL(request.url ?? '/', 'http://localhost').searchParams.get('nonce') ?? '',
      );
    throw new Refusal(404, 'NOT_FOUND', 'Not Found');
  }

  #list(response: ServerResponse, chute: string): void {
    modelOf(chute);
    const { instances } = this.options.enclave;
    const now = this.#now();
    const listed = instances.listed.map((instance) => ({
      instance_id: instance.id,
      e2e_pubkey: base64Of(instance),
      nonces: instances.giveNonces(instance, now),
    }));
    sendJson(response, 200, {
      instances: listed,
      nonce_expires_in: NONCE_SECONDS_TOLD,
      nonce_expires_at: Math.floor(now / 1_000) + NONCE_SECONDS_TOLD,
    });
  }

  #attest(response: ServerResponse, { id }: StandInModel, nonce: string): void {
    const { enclave, tamperingOf } = this.options;
    const instances = enclave.instances.attesting.map((instance) => ({ id: instance.id, key: base64Of(instance) }));
    sendText(
      response,
      200,
      this.#reports.chutesEvidence(
        { model: id, nonce: nonceOf(nonce), nowMs: this.#now(), tampering: tamperingOf(nonce) },
        instances,
      ),
    );
  }

  async #invoke(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const header = (name: keyof typeof INVOKE_HEADERS): string => String(request.headers[INVOKE_HEADERS[name]] ?? '');
    const { instances } = this.options.enclave;
    const model = modelOf(header('chute'));
    if (!instances.takeNonce(header('nonce'), header('instance'), this.#now()))
      throw new Refusal(403, 'NONCE', 'Invalid, expired, or already-used nonce');
    const instance = instances.find(header('instance'));
    if (instance === undefined) throw new Refusal(410, 'INSTANCE', 'Instance is no longer active');
    if (header('path') !== CHAT_PATH) throw new Refusal(404, 'PATH', 'Instance returned status 404');
    const { asked, answerKey } = await opened(
      await readBody(request, BODY_BYTES_MAX, 'application/octet-stream'),
      instance,
    );
    const isStream = header('stream').toLowerCase() === 'true';
    if (asked.isStream !== isStream) throw new Refusal(400, 'STREAM', 'X-E2E-Stream contradicts the request.');
    if (asked.model !== model.id)
      throw new Refusal(404, 'MODEL', `There is no model ${JSON.stringify(asked.model.slice(0, 100))} here.`);
    const completion: Completion = {
      id: `chatcmpl-${randomBytes(16).toString('hex')}`,
      model: model.id,
      created: Math.floor(this.#now() / 1_000),
      reply: replyTo(asked, this.options.guide, await sightOf(model, asked)),
      topLogprobs: asked.topLogprobs,
    };
    if (isStream) return this.#stream(response, completion, asked, answerKey);
    response
      .writeHead(200, { 'content-type': 'application/octet-stream' })
      .end(sealWholeAnswer(wholeCompletion(completion), answerKey));
  }

  async #stream(
    response: ServerResponse,
    completion: Completion,
    { includesUsage }: ChatRequest,
    answerKey: Uint8Array,
  ): Promise<void> {
    const { eventDelayMs = EVENT_DELAY_MS } = this.options;
    const sealer = new AnswerSealer(answerKey);
    const { prompt_tokens: prompt, completion_tokens: answer, total_tokens: total } = completion.reply.usage;
    response
      .writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
      .write(sealer.beginning);
    for (const event of streamedCompletion(completion, {
      includesUsage,
      seal: (content) => content,
      piecesPerEvent: 1,
    })) {
      if (event === DONE) continue;
      if (!(await pacedWrite(response, Buffer.from(sealer.piece(event))))) return;
      if (eventDelayMs > 0) await wait(eventDelayMs);
    }
    response.end(eventOf({ usage: { prompt_tokens: prompt, completion_tokens: answer, total_tokens: total } }) + DONE);
  }
}

function modelOf(chute: string): StandInModel {
  const model = modelOfChute(chute);
  if (model === undefined) throw new Refusal(404, 'CHUTE', 'Chute not found');
  return model;
}

function base64Of({ keys }: ModelInstance): string {
  return Buffer.from(keys.publicKey).toString('base64');
}

async function opened(
  body: Uint8Array,
  { keys }: ModelInstance,
): Promise<{ asked: ChatRequest; answerKey: Uint8Array }> {
  try {
    const { request, answerKey } = await openBody(body, keys.secretKey, BODY_BYTES_MAX);
    return { asked: readChatRequest(Buffer.from(JSON.stringify(request))), answerKey };
  } catch (error) {
    if (!(error instanceof MlKemError)) throw error;
    throw new Refusal(400, 'E2E', 'The encrypted request cannot be read.');
  }
}
