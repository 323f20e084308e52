import { tokenCostNanoUsd } from '@/lib/protocol/chat/token-price';
import {
  type EmbeddingInput,
  type EmbeddingsRequest,
  embeddingsRequestSchema,
  estimatedInputTokens,
  inputsOf,
  inputTokensMax,
  sizeOf,
} from '@/lib/protocol/embeddings/embeddings-request';
import { apiError } from '@/lib/protocol/errors';
import { parsedRecord, recordOf } from '@/lib/protocol/json-record';
import { askForWhole, requireFreeSlots } from '../upstreams/models/failover';
import { createHash } from 'node:crypto';
import type { PaidCall, Purchase } from '../billing/paid-call';
import type { PaidService } from '../billing/paid-calls';
import type { Reply } from '../http/call';
import { refuseMisplacedEncryption } from '../http/encryption-headers';
import { readJson } from '../http/json-body';
import { fieldError } from '../http/validation-error';
import type { UpstreamAnswer } from '../upstreams/models/model-exchange';
import type { EmbeddingModel, Embeddings } from './embeddings';

const EMBEDDING_KEYS = 'embeddings:';
/** Maximum average bytes per token. A text cannot fit if its bytes exceed this number times the context's tokens. */
const BYTES_PER_TOKEN_MAX = 32;

interface CheckedEmbeddings {
  request: EmbeddingsRequest;
  inputs: readonly EmbeddingInput[];
  models: readonly [EmbeddingModel, ...EmbeddingModel[]];
  tokensMax: number;
  maxNanoUsd: number;
}

/** Serves embeddings. Charges by input tokens. @param isSealed whether a model accepts only encrypted requests */
export function embeddingsService(
  embeddings: Embeddings,
  isSealed: (id: string) => Promise<boolean>,
): PaidService<CheckedEmbeddings> {
  return {
    caps: 'endpoint',
    repetition: {
      keyPrefix: EMBEDDING_KEYS,
      fingerprint: ({ request }) => createHash('sha256').update(JSON.stringify(request)).digest('hex'),
      replay: async (body, paid) => ({
        status: 200,
        headers: {
          'content-type': 'application/json',
          'idempotent-replayed': 'true',
          ...paid.balanceHeader(await paid.spendable()),
        },
        body,
      }),
    },
    validate: (paid) => validate(paid, embeddings, isSealed),
    bought: ({ models: [model] }) => ({ endpoint: 'embeddings', name: model.id }),
    price: ({ maxNanoUsd }) => ({ maxNanoUsd, maxCredits: 0 }),
    requireServable: ({ models }, caller) => requireFreeSlots(models, caller),
    fulfil: (paid, checked) => embed(paid, checked, embeddings),
  };
}

async function validate(
  paid: PaidCall,
  { config, models: offered }: Embeddings,
  isSealed: (id: string) => Promise<boolean>,
): Promise<CheckedEmbeddings> {
  refuseMisplacedEncryption(paid.call);
  const request = await readJson(paid, embeddingsRequestSchema, config.requestBytesMax);
  const [model, ...others] = offered.find(request.model);
  if (!model)
    throw apiError('MODEL_NOT_FOUND', {
      message: (await isSealed(request.model))
        ? `The embedding model ${JSON.stringify(request.model)} accepts only encrypted requests, and this one is not encrypted.`
        : `There is no embedding model ${JSON.stringify(request.model.slice(0, 100))}.`,
      hint: 'GET /api/v1/models?type=embedding lists the embedding models.',
    });
  paid.call.record.ofModel(model);
  const inputs = inputsOf(request);
  if (inputs.length > config.inputsMax)
    throw fieldError('input', `Has ${inputs.length} inputs; one request can have at most ${config.inputsMax}`);
  inputs.forEach((input, index) => checkLength(input, index, model));
  checkDimensions(request, model);
  const tokensMax = inputs.reduce((sum, input) => sum + inputTokensMax(input, model.contextTokens), 0);
  return { request, inputs, models: [model, ...others], tokensMax, maxNanoUsd: costOf(tokensMax, model) };
}

/** Refuses an input that is certainly too long for the model. Only the upstream can count tokens exactly. */
function checkLength(input: EmbeddingInput, index: number, { id, contextTokens }: EmbeddingModel): void {
  const isText = typeof input === 'string';
  const size = sizeOf(input);
  if (size > contextTokens * (isText ? BYTES_PER_TOKEN_MAX : 1))
    throw fieldError(
      'input',
      `Input ${index} has ${size} ${isText ? 'bytes' : 'tokens'}; the model ${id} accepts at most ${contextTokens} tokens`,
    );
}

function checkDimensions({ dimensions }: EmbeddingsRequest, model: EmbeddingModel): void {
  if (dimensions == null || dimensions === model.dimensions) return;
  if (!model.supportsDimensions)
    throw fieldError(
      'dimensions',
      `The model ${model.id} supports only one vector length${model.dimensions === undefined ? '' : `, ${model.dimensions}`}`,
    );
  if (model.dimensions !== undefined && dimensions > model.dimensions)
    throw fieldError('dimensions', `The model ${model.id} returns vectors of at most ${model.dimensions} numbers`);
}

async function embed(paid: PaidCall, checked: CheckedEmbeddings, { config, log }: Embeddings): Promise<Reply> {
  const { request, inputs, models } = checked;
  const stopKeeping = paid.keepAlive(() => purchase(checked, 0));
  try {
    const { call } = paid;
    const made = await askForWhole(
      models,
      { config, log, call, caller: paid.caller.accountId },
      (model) => ({ method: 'POST', path: '/embeddings', body: JSON.stringify(questionOf(request, model)) }),
      (answer, model) => readVectors(answer, inputs.length, request.dimensions ?? model.dimensions ?? null),
    );
    const tokens = Math.min(made.promptTokens ?? estimated(inputs), checked.tokensMax);
    const body = Buffer.from(JSON.stringify(answerOf(request, made, tokens)));
    const settled = await paid.settle({ ...purchase(checked, tokens), replayBody: paid.replayOf(body) });
    return { status: 200, headers: { 'content-type': 'application/json', ...paid.settledHeaders(settled) }, body };
  } finally {
    stopKeeping();
  }
}

function questionOf({ input, dimensions }: EmbeddingsRequest, { upstreamModel, supportsDimensions }: EmbeddingModel) {
  return { model: upstreamModel, input, ...(dimensions != null && supportsDimensions ? { dimensions } : {}) };
}

function answerOf({ model, encoding_format: encoding }: EmbeddingsRequest, { vectors }: Vectors, tokens: number) {
  return {
    object: 'list',
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: encoding === 'base64' ? base64Of(vector) : vector,
    })),
    model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

function base64Of(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((value, index) => bytes.writeFloatLE(value, index * 4));
  return bytes.toString('base64');
}

function purchase({ models: [model], maxNanoUsd }: CheckedEmbeddings, tokens: number): Purchase {
  return {
    amountNanoUsd: Math.min(costOf(tokens, model), maxNanoUsd),
    credits: 0,
    units: tokens,
    resource: `embeddings/${model.id}`,
    detail: `${tokens} tokens`,
    replayBody: null,
  };
}

function costOf(tokens: number, { nanoUsdPerMillionTokens }: EmbeddingModel): number {
  return tokenCostNanoUsd(
    { promptTokens: tokens, completionTokens: 0 },
    { inputNanoUsdPerMillion: nanoUsdPerMillionTokens, outputNanoUsdPerMillion: 0 },
  );
}

function estimated(inputs: readonly EmbeddingInput[]): number {
  return inputs.reduce((sum, input) => sum + estimatedInputTokens(input), 0);
}

interface Vectors {
  vectors: readonly (readonly number[])[];
  /** Tokens that the upstream counted; null if unknown. */
  promptTokens: number | null;
}

/**
 * Parses the vectors of an answer in OpenAI's format.
 * @param inputs required number of vectors
 * @param dimensions required length of each vector; null if unknown
 * @throws ApiError MODEL_ANSWER_INVALID if the number or length of vectors is wrong, or if a value exceeds the range of
 * a 32-bit float
 */
function readVectors({ body }: Pick<UpstreamAnswer, 'body'>, inputs: number, dimensions: number | null): Vectors {
  const json = parsedRecord(body.toString('utf8'));
  const data: unknown = json?.['data'];
  if (!Array.isArray(data) || data.length !== inputs)
    throw invalid(`The model's answer does not have one vector for each of the ${inputs} inputs.`);
  const vectors: (readonly number[])[] = Array.from({ length: inputs });
  for (const [place, each] of (data as unknown[]).entries()) {
    const { index = place, embedding } = recordOf(each);
    if (!isPlace(index, inputs) || vectors[index] !== undefined)
      throw invalid("The model's answer has two vectors for one input.");
    if (!isVector(embedding)) throw invalid("A vector in the model's answer is not a list of finite numbers.");
    vectors[index] = embedding;
  }
  const length = dimensions ?? vectors[0]?.length;
  if (vectors.some((vector) => vector.length !== length))
    throw invalid(`The vectors in the model's answer do not have the length ${length}.`);
  return { vectors, promptTokens: tokensIn(json?.['usage']) };
}

function isPlace(value: unknown, inputs: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < inputs;
}

/** Returns whether all values are finite as 32-bit floats, because answers use that format. */
function isVector(value: unknown): value is number[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((each) => typeof each === 'number' && Number.isFinite(Math.fround(each)))
  );
}

/** Returns the tokens that the upstream counted. Ignores a count of 0, because no input is empty. */
function tokensIn(usage: unknown): number | null {
  const { prompt_tokens: prompt, total_tokens: total } = recordOf(usage);
  const count = [prompt, total].find((each) => Number.isSafeInteger(each) && (each as number) > 0);
  return (count as number | undefined) ?? null;
}

function invalid(message: string) {
  return apiError('MODEL_ANSWER_INVALID', { message });
}
