import { z } from 'zod';
import { CHAT_FIELDS, NO_TOKEN_LIMIT } from './chat-fields';

type Fields = typeof CHAT_FIELDS;
type Required = 'model' | 'messages';
type Shape = {
  [Name in keyof Fields]: Name extends Required
    ? Fields[Name]['value']
    : z.ZodOptional<z.ZodNullable<Fields[Name]['value']>>;
};

const REQUIRED: ReadonlySet<string> = new Set<Required>(['model', 'messages']);

/** Schema of a chat request (spec, "POST /chat/completions"), built from `CHAT_FIELDS`. */
export const chatRequestSchema = z
  .looseObject(
    Object.fromEntries(
      Object.entries(CHAT_FIELDS).map(([name, { value }]) => [name, REQUIRED.has(name) ? value : value.nullish()]),
    ) as unknown as Shape,
  )
  .meta({ id: 'ChatRequest' });

export type ChatRequest = z.output<typeof chatRequestSchema>;

/**
 * Returns the maximum tokens per completion that the request allows; null without a limit. If both limits are present,
 * the larger limit counts, because servers differ in which limit they obey.
 */
export function tokenLimitOf(request: ChatRequest): number | null {
  const newer = namedLimitOf(request, 'max_completion_tokens');
  const older = namedLimitOf(request, 'max_tokens');
  return newer === null || older === null ? (newer ?? older) : Math.max(newer, older);
}

/** Returns the limit in one field; null if absent or -1. */
export function namedLimitOf(request: ChatRequest, name: TokenLimitName): number | null {
  const limit = request[name];
  return limit == null || limit === NO_TOKEN_LIMIT ? null : limit;
}

/** The older field, which most servers know, and OpenAI's newer field. */
export const TOKEN_LIMIT_NAMES = ['max_tokens', 'max_completion_tokens'] as const;
export type TokenLimitName = (typeof TOKEN_LIMIT_NAMES)[number];
