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

/** What the gateway knows of a chat request (spec, "POST /chat/completions"), by the one table of its fields. */
export const chatRequestSchema = z
  .looseObject(
    Object.fromEntries(
      Object.entries(CHAT_FIELDS).map(([name, { value }]) => [name, REQUIRED.has(name) ? value : value.nullish()]),
    ) as unknown as Shape,
  )
  .meta({ id: 'ChatRequest' });

export type ChatRequest = z.output<typeof chatRequestSchema>;

/**
 * The most tokens that one completion of this request may have by its own word; null where it names none. Of two
 * limits the larger one counts: servers differ in which of them they keep to.
 */
export function tokenLimitOf(request: ChatRequest): number | null {
  const newer = namedLimitOf(request, 'max_completion_tokens');
  const older = namedLimitOf(request, 'max_tokens');
  return newer === null || older === null ? (newer ?? older) : Math.max(newer, older);
}

/** The limit that a request has under this name; null where it has none. */
export function namedLimitOf(request: ChatRequest, name: TokenLimitName): number | null {
  const limit = request[name];
  return limit == null || limit === NO_TOKEN_LIMIT ? null : limit;
}

/** The names of a limit of tokens: the older, which most servers know, and OpenAI's newer one. */
export const TOKEN_LIMIT_NAMES = ['max_tokens', 'max_completion_tokens'] as const;
export type TokenLimitName = (typeof TOKEN_LIMIT_NAMES)[number];
