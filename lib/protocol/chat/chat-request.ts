import { z } from 'zod';
import { responseFormatSchema } from './response-format';

const MESSAGES_MAX = 10_000;
const TOOLS_MAX = 512;
/** Completions of one request: each is generated, and paid for, in full. */
const CHOICES_MAX = 16;
const TOKENS_MAX = 10_000_000;

const tokenLimit = z.number().int().min(1).max(TOKENS_MAX).nullish();

const message = z.looseObject({
  role: z.string().min(1).max(64),
  content: z.unknown(),
});

/**
 * What the gateway reads of a chat request (spec, "POST /chat/completions"); every other field is the upstream's
 * to understand, and is passed on as it came.
 */
export const chatRequestSchema = z.looseObject({
  model: z.string().min(1).max(256),
  messages: z.array(message).min(1).max(MESSAGES_MAX),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  max_tokens: tokenLimit,
  max_completion_tokens: tokenLimit,
  n: z.number().int().min(1).max(CHOICES_MAX).nullish(),
  tools: z.array(z.looseObject({})).max(TOOLS_MAX).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  response_format: responseFormatSchema.nullish(),
});

export type ChatRequest = z.output<typeof chatRequestSchema>;

/**
 * The most tokens that one completion of this request may have by its own word; null where it names none. Of two
 * limits the larger one counts: servers differ in which of them they keep to.
 */
export function tokenLimitOf({ max_completion_tokens: newer, max_tokens: older }: ChatRequest): number | null {
  return newer == null || older == null ? (newer ?? older ?? null) : Math.max(newer, older);
}
