import { type ChatModelInfo, listChatModels } from '@/lib/client/chat-models';
import { GatewayError } from '@/lib/client/gateway-error';
import {
  type AcceptableVerdict,
  type Attestation,
  attestationPolicy,
  type PolicyAdditions,
  PrivateChatError,
  type PrivateChatEvent,
  PrivateChatSession,
  type SignatureCheck,
} from '@/lib/client/private-chat';
import { outgoingCall } from './outgoing-call';
import type { EncryptedEmbeddings } from './private-embeddings';
import { isAbort, privateRefusal, TurnpikeError, turnpikeErrorOf } from './turnpike-error';
import { type PrivateReply, streamedResponse, wholeResponse } from './private-reply';
import { type PrivateRequest, readPrivateRequest } from './private-request';
import { refusalResponse, sdkFetch } from './sdk-fetch';
import { SharedWork } from './shared-work';
import type { Turnpike } from './turnpike';
import { tell } from './turnpike-event';

const CHATS_PATH = '/api/v1/chat/completions';
const EMBEDDINGS_PATH = '/api/v1/embeddings';
const MODELS_AGE_MAX_MS = 300_000;
const SESSIONS_MAX = 100;

/** Requirements that an enclave must meet, and callbacks. */
export interface PrivateFetchOptions extends PolicyAdditions {
  /** Verdicts that allow sending. Default: `verified` only. */
  accepted?: readonly AcceptableVerdict[];
  /** Request fields that may be sent unencrypted, besides those such as max_tokens. */
  plainParameters?: readonly string[];
  /** Called with each accepted attestation, before the client sends anything. */
  onAttestation?: (attestation: Attestation) => void;
  onSignature?: (check: SignatureCheck) => void;
}

/**
 * Returns a fetch for an unmodified OpenAI SDK. The fetch verifies a model's enclave itself, encrypts every message to
 * the attested key, and checks the answer's signature. If a check fails, the fetch sends nothing or ends the answer
 * with an error. Encrypts embeddings too. Other calls must be GETs.
 * @throws {Malformed} for an invalid simulated root
 */
export function createPrivateFetch(turnpike: Turnpike, options: PrivateFetchOptions = {}): typeof fetch {
  const sessions = new Sessions(turnpike, options);
  let embeddings: Promise<EncryptedEmbeddings> | undefined;
  const encryptedEmbeddings = async () =>
    new (await import('./private-embeddings')).EncryptedEmbeddings(turnpike, options);
  return async (input, init) => {
    try {
      const call = await outgoingCall(turnpike.url, input, init);
      const { method, body } = call.init;
      const bodyText = typeof body === 'string' ? body : new TextDecoder().decode(body ?? undefined);
      if (call.path === EMBEDDINGS_PATH && method === 'POST')
        return await (await (embeddings ??= encryptedEmbeddings())).send(bodyText, call.signal);
      if (call.path !== CHATS_PATH || method !== 'POST') {
        if (method === 'GET') return await sdkFetch(turnpike.fetch)(input, init);
        throw new TurnpikeError('NOT_PRIVATE', {
          message: `${method} ${call.path} cannot be sent through the private channel.`,
        });
      }
      const request = readPrivateRequest(bodyText, options.plainParameters);
      const reply = await begun(request, await sessions.of(request.model, call.signal), options, call.signal);
      return request.isStreamed ? streamedResponse(reply) : await wholeResponse(reply);
    } catch (error) {
      init?.signal?.throwIfAborted();
      if (isAbort(error)) throw error;
      return refusalOf(error);
    }
  };
}

async function begun(
  request: PrivateRequest,
  session: PrivateChatSession,
  options: PrivateFetchOptions,
  signal: AbortSignal | null,
): Promise<PrivateReply> {
  const left = new AbortController();
  const either = signal ? AbortSignal.any([signal, left.signal]) : left.signal;
  const events = heard(session.send(request.messages, { parameters: request.parameters, signal: either }), options);
  for (;;) {
    const { done, value } = await events.next();
    if (done) throw new TurnpikeError('ANSWER_BROKEN');
    if (value.type === 'began')
      return {
        request,
        requestId: value.requestId,
        balanceRemainingUsd: value.balanceRemainingUsd,
        events,
        abandon: () => left.abort(),
      };
  }
}

async function* heard(
  events: AsyncGenerator<PrivateChatEvent, void, undefined>,
  { onAttestation, onSignature }: PrivateFetchOptions,
): AsyncGenerator<PrivateChatEvent, void, undefined> {
  for await (const event of events) {
    if (event.type === 'attested') tell(onAttestation, event.attestation);
    if (event.type === 'signature') tell(onSignature, event.check);
    yield event;
  }
}

/** Keeps one session per model. Concurrent calls share the session's attestation. */
class Sessions {
  readonly #sessions = new Map<string, { session: PrivateChatSession; start: SharedWork<void> }>();
  readonly #listing = new SharedWork<readonly ChatModelInfo[]>();
  readonly #policy;
  #models: { listed: readonly ChatModelInfo[]; atMs: number } | null = null;

  constructor(
    private readonly turnpike: Turnpike,
    private readonly options: PrivateFetchOptions,
  ) {
    const { simulatedRoot, pinnedWorkloads, pinnedImages, acceptedTcbStatuses, nvidiaKeys } = options;
    this.#policy = attestationPolicy({
      ...(simulatedRoot !== undefined && { simulatedRoot }),
      ...(pinnedWorkloads && { pinnedWorkloads }),
      ...(pinnedImages && { pinnedImages }),
      ...(acceptedTcbStatuses && { acceptedTcbStatuses }),
      ...(nvidiaKeys && { nvidiaKeys }),
    });
  }

  async of(model: string, signal: AbortSignal | null): Promise<PrivateChatSession> {
    const { session, start } = this.#sessions.get(model) ?? (await this.#made(model, signal));
    if (session.attestation === null)
      await start.join(async () => tell(this.options.onAttestation, await session.start()), signal);
    return session;
  }

  async #made(model: string, signal: AbortSignal | null) {
    const known = (await this.#listed(signal)).find(({ id }) => id === model);
    if (known === undefined)
      throw new TurnpikeError('MODEL_UNKNOWN', {
        message: `The gateway has no model called ${JSON.stringify(model)}.`,
        status: 404,
      });
    if (!known.can.encrypt)
      throw new TurnpikeError('NOT_PRIVATE', {
        message: `The model ${model} does not support encrypted chats.`,
        remedy: 'Nothing was sent. Choose a model that has model_spec.encryption; GET /api/v1/models lists them.',
      });
    const { accepted } = this.options;
    const session = new PrivateChatSession({
      connection: this.turnpike.connection,
      model,
      encrypted: true,
      policy: this.#policy,
      ...(accepted && { accepted }),
    });
    const made = { session, start: new SharedWork<void>() };
    if (this.#sessions.size >= SESSIONS_MAX) this.#sessions.clear();
    this.#sessions.set(model, made);
    return made;
  }

  async #listed(signal: AbortSignal | null): Promise<readonly ChatModelInfo[]> {
    if (this.#models !== null && Date.now() - this.#models.atMs < MODELS_AGE_MAX_MS) return this.#models.listed;
    const listed = await this.#listing.join(() => listChatModels(this.turnpike.connection), signal);
    this.#models = { listed, atMs: Date.now() };
    return listed;
  }
}

/**
 * Formats an error as the gateway's refusal.
 *
 * @throws errors that an SDK may retry: unreachable, timeout, interrupted answer, pending payment
 */
function refusalOf(error: unknown): Response {
  // Excludes a 2xx in an unknown format, because a 2xx is not a refusal.
  if (error instanceof GatewayError && error.status >= 400)
    return new Response(error.detail.bodyText, {
      status: error.status,
      headers: { 'content-type': 'application/json' },
    });
  if (error instanceof PrivateChatError) return refusalResponse(privateRefusal(error));
  const typed = turnpikeErrorOf(error);
  if (['UNREACHABLE', 'TIMEOUT', 'ANSWER_BROKEN', 'PAYMENT_PENDING'].includes(typed.code)) throw typed;
  return refusalResponse(typed);
}
