import { z } from 'zod';
import { estimateTokens } from '../chat/token-usage';

const TOKEN_ID_MAX = 2 ** 31 - 1;
const DIMENSIONS_MAX = 65_536;
const text = z.string().min(1);
const tokens = z.array(z.number().int().min(0).max(TOKEN_ID_MAX)).min(1);

/** Body of `POST /embeddings`, in OpenAI's format. Null counts as absent. The gateway drops unknown fields. */
export const embeddingsRequestSchema = z.object({
  model: z.string().min(1).max(256),
  input: z
    .union(
      [text, z.array(text).min(1), tokens, z.array(tokens).min(1)],
      'Must be a text, a list of texts, a list of token ids, or a list of such lists. None of them may be empty',
    )
    .describe('One or more texts, or token ids of the model. Each becomes one vector'),
  encoding_format: z
    .enum(['float', 'base64'])
    .nullish()
    .describe('float by default; base64 encodes the numbers as little-endian 32-bit floats'),
  dimensions: z
    .number()
    .int()
    .min(1)
    .max(DIMENSIONS_MAX)
    .nullish()
    .describe('Length of the vectors, for models with supportsDimensions'),
});

export type EmbeddingsRequest = z.output<typeof embeddingsRequestSchema>;

export type EmbeddingInput = string | readonly number[];

/** Returns the inputs of a request, one per vector. */
export function inputsOf({ input }: Pick<EmbeddingsRequest, 'input'>): readonly EmbeddingInput[] {
  if (typeof input === 'string') return [input];
  return typeof input[0] === 'number' ? [input as number[]] : (input as readonly EmbeddingInput[]);
}

export const embeddingsAnswerSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(
      z.object({
        object: z.literal('embedding'),
        index: z.number().int().describe('Index of the input in the request'),
        embedding: z.union([z.array(z.number()), z.string()]),
      }),
    ),
    model: z.string(),
    usage: z.object({ prompt_tokens: z.number().int(), total_tokens: z.number().int() }),
  })
  .meta({ id: 'Embeddings' });

/** Maximum number of special tokens that a model adds to an input. */
const MARKS = 4;

const encoder = new TextEncoder();

/** Maximum number of tokens in an input. No text has more tokens than bytes, and no model reads beyond its context. */
export function inputTokensMax(input: EmbeddingInput, contextTokens: number): number {
  return Math.min(sizeOf(input) + MARKS, contextTokens);
}

/** Estimates tokens for an upstream that reports none. */
export function estimatedInputTokens(input: EmbeddingInput): number {
  return typeof input === 'string' ? estimateTokens(sizeOf(input)) : input.length;
}

/** Returns the number of bytes in a text, or the number of token ids. */
export function sizeOf(input: EmbeddingInput): number {
  return typeof input === 'string' ? encoder.encode(input).length : input.length;
}
