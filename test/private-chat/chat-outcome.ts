import { PrivateChatError, type PrivateChatEvent } from '@/lib/client/private-chat';

/** Collects a chat's events and the error that ended it. */
export async function outcomeOf<T>(events: AsyncIterable<T>): Promise<{ events: T[]; error: unknown }> {
  const all: T[] = [];
  try {
    for await (const event of events) all.push(event);
    return { events: all, error: null };
  } catch (error) {
    return { events: all, error };
  }
}
export const textOf = (events: readonly PrivateChatEvent[]) =>
  events.map((event) => (event.type === 'delta' ? event.text : '')).join('');
/** Returns the event types in order, without repetitions in a row. */
export const typesOf = (events: readonly { type: string }[]) =>
  events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1]);
export const codeOf = (error: unknown) => (error instanceof PrivateChatError ? error.code : error);
