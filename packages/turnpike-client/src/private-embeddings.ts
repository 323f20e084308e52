import { type EmbeddingModel, listEmbeddingModels } from '@/lib/client/media-models';
import {
  type AcceptableVerdict,
  type Attestation,
  attestationPolicy,
  type PolicyAdditions,
} from '@/lib/client/private-chat';
import { PrivateEmbeddings } from '@/lib/client/private-chat/private-embeddings';
import { parsedRecord } from '@/lib/protocol/json-record';
import { SharedWork } from './shared-work';
import type { Turnpike } from './turnpike';
import { TurnpikeError } from './turnpike-error';
import { tell } from './turnpike-event';

const MODELS_AGE_MAX_MS = 300_000;
const ENCLAVES_MAX = 100;

interface EncryptedEmbeddingsOptions extends PolicyAdditions {
  accepted?: readonly AcceptableVerdict[];
  onAttestation?: (attestation: Attestation) => void;
}

interface Enclave {
  embeddings: PrivateEmbeddings;
  start: SharedWork<unknown>;
}

/** Sends embedding requests, encrypted to the enclave of the requested model. */
export class EncryptedEmbeddings {
  readonly #policy;
  readonly #enclaves = new Map<string, Enclave>();
  readonly #listing = new SharedWork<readonly EmbeddingModel[]>();
  #models: { listed: readonly EmbeddingModel[]; atMs: number } | null = null;

  constructor(
    private readonly turnpike: Pick<Turnpike, 'connection'>,
    private readonly options: EncryptedEmbeddingsOptions,
  ) {
    this.#policy = attestationPolicy(options);
  }

  /** Returns whether the model of this request accepts encrypted requests. */
  async accepts(bodyText: string, signal: AbortSignal | null): Promise<boolean> {
    const { model } = parsedRecord(bodyText) ?? {};
    return (await this.#listed(signal)).some(({ id, isEncrypted }) => id === model && isEncrypted);
  }

  /**
   * Encrypts a request and returns its decrypted answer.
   *
   * @throws {TurnpikeError | PrivateChatError | GatewayError | UnreachableError}
   */
  async send(bodyText: string, signal: AbortSignal | null): Promise<Response> {
    const { model } = parsedRecord(bodyText) ?? {};
    if (typeof model !== 'string' || !(await this.accepts(bodyText, signal)))
      throw new TurnpikeError('NOT_PRIVATE', {
        message: `The gateway has no model ${JSON.stringify(model ?? null)} for encrypted embeddings.`,
        remedy: 'Nothing was sent. GET /api/v1/models?type=embedding lists those that have model_spec.encryption.',
      });
    const { embeddings, start } = this.#enclaveOf(model);
    await start.join(() => embeddings.start(), signal);
    const { text, requestId, balanceRemainingUsd } = await embeddings.ask(bodyText, signal ?? undefined);
    return new Response(text, {
      headers: {
        'content-type': 'application/json',
        ...(requestId !== null && { 'x-request-id': requestId }),
        ...(balanceRemainingUsd !== null && { 'x-balance-remaining': balanceRemainingUsd }),
      },
    });
  }

  #enclaveOf(model: string): Enclave {
    const known = this.#enclaves.get(model);
    if (known !== undefined) return known;
    const { accepted } = this.options;
    const { connection } = this.turnpike;
    const embeddings = new PrivateEmbeddings({
      connection,
      model,
      policy: this.#policy,
      onAttestation: (attestation) => tell(this.options.onAttestation, attestation),
      ...(accepted && { accepted }),
    });
    const made = { embeddings, start: new SharedWork<unknown>() };
    if (this.#enclaves.size >= ENCLAVES_MAX) this.#enclaves.clear();
    this.#enclaves.set(model, made);
    return made;
  }

  async #listed(signal: AbortSignal | null): Promise<readonly EmbeddingModel[]> {
    if (this.#models !== null && Date.now() - this.#models.atMs < MODELS_AGE_MAX_MS) return this.#models.listed;
    const listed = await this.#listing.join(() => listEmbeddingModels(this.turnpike.connection), signal);
    this.#models = { listed, atMs: Date.now() };
    return listed;
  }
}
