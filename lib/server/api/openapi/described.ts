import type { Route } from '../../http/endpoint';
import { type DocumentOptions, openApiDocument } from './document';

/** The description of a gateway's API, JSON text, as whoever asked under an origin of the gateway gets it. */
export type Description = (origin: string, relativeTo: DocumentOptions['relativeTo']) => string;

/**
 * Makes each description when it is first asked for, and keeps it: there are two for each origin, of which the
 * configuration names a few.
 */
export function apiDescription(
  routes: readonly Route[],
  facts: Omit<DocumentOptions, 'origin' | 'relativeTo'>,
): Description {
  const kept = new Map<string, string>();
  return (origin, relativeTo) => {
    const name = `${relativeTo} ${origin}`;
    const text = kept.get(name) ?? JSON.stringify(openApiDocument(routes, { ...facts, origin, relativeTo }));
    kept.set(name, text);
    return text;
  };
}
