import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type EmbeddingInput,
  embeddingsRequestSchema,
  estimatedInputTokens,
  inputsOf,
} from '@/lib/protocol/embeddings/embeddings-request';
import type { Section } from '../guide/section';
import { readBody } from '../http/read-body';
import { Refusal, sendJson } from '../http/refusal';
import { type Rarity, rarityAmong, textVector, tokenVector } from './text-vector';

export const STAND_IN_EMBEDDING_MODEL = {
  id: 'stand-in-embedding',
  name: 'Sandbox stand-in: hashed words, no model',
  dimensions: 1_024,
  contextTokens: 8_192,
};

/**
 * Simulates an embeddings server with OpenAI's API. Vectors are hashed words, weighted by their rarity in the
 * documentation.
 * Paths after `/v1`: `GET /models` and `POST /embeddings`.
 */
export class EmbeddingsServer {
  #rarity: Rarity | undefined;

  /** @param sections function that reads the documentation, called once, for the first request */
  constructor(private readonly sections: () => readonly Section[]) {}

  /** @throws {Refusal} */
  async handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const call = `${request.method} ${path}`;
    const { id } = STAND_IN_EMBEDDING_MODEL;
    if (call === 'GET /models')
      return sendJson(response, 200, {
        object: 'list',
        data: [{ id, object: 'model', created: 0, owned_by: 'turnpike-sandbox' }],
      });
    if (call !== 'POST /embeddings') throw new Refusal(404, 'NOT_FOUND', 'There is nothing at this path.');
    sendJson(response, 200, this.answer(await readBody(request), id));
  }

  /** Answers a request. The `model` in its body must equal `id`. @throws {Refusal} */
  answer(body: Buffer, id: string) {
    const asked = embeddingsRequestSchema.safeParse(parsed(body));
    if (!asked.success) throw new Refusal(400, 'INVALID_REQUEST', 'The request for embeddings is not valid.');
    if (asked.data.model !== id) throw new Refusal(404, 'MODEL_NOT_FOUND', 'The stand-in has no such model.');
    const inputs = inputsOf(asked.data);
    const dimensions = Math.min(
      asked.data.dimensions ?? STAND_IN_EMBEDDING_MODEL.dimensions,
      STAND_IN_EMBEDDING_MODEL.dimensions,
    );
    const rarity = (this.#rarity ??= rarityAmong(this.sections()));
    const tokens = inputs.reduce((sum, input) => sum + estimatedInputTokens(input), 0);
    const vectorOf = (input: EmbeddingInput) =>
      typeof input === 'string' ? textVector(input, dimensions, rarity) : tokenVector(input, dimensions);
    return {
      object: 'list',
      data: inputs.map((input, index) => ({
        object: 'embedding',
        index,
        embedding: asked.data.encoding_format === 'base64' ? base64Of(vectorOf(input)) : vectorOf(input),
      })),
      model: id,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    };
  }
}

function base64Of(vector: readonly number[]): string {
  return Buffer.from(Float32Array.from(vector).buffer).toString('base64');
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new Refusal(400, 'INVALID_JSON', 'The body is not JSON.');
  }
}
