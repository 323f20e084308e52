import { z } from 'zod';
import { CHAT_FIELDS } from './chat-fields';

type Fields = typeof CHAT_FIELDS;
type Required = 'model' | 'messages';
type Shape = { [Name in keyof Fields]: Name extends Required ? Fields[Name]['value'] : z.ZodOptional<z.ZodNullable<Fields[Name]['value']>> };

const REQUIRED: ReadonlySet<string> = new Set<Required>(['model', 'messages']);

/** What the gateway knows of a chat request (spec, "POST /chat/completions"), by the one table of its fields. */
export const chatRequestSchema = z.looseObject(Object.fromEntries(Object.entries(CHAT_FIELDS).map(([name, { value }]) => [name, REQUIRED.has(name) ? value : value.nullish()])) as unknown as Shape).meta({ id: 'ChatRequest' });

export type ChatRequest = z.output<typeof chatRequestSchema>;

/**
 * The most tokens that one completion of this request may have by its own word; null where it names none. Of two
 * limits the larger one counts: servers differ in which of them they keep to.
 */
export function tokenLimitOf({ max_completion_tokens: newer, max_tokens: older }: ChatRequest): number | null {
  return newer == null || older == null ? (newer ?? older ?? null) : Math.max(newer, older);
}
