import { apiPathOf } from '@/lib/protocol/api-path';
import { apiError, isApiError, requestError } from '@/lib/protocol/errors';
import type { Endpoint } from './endpoint';

export interface Match {
  endpoint: Endpoint;
  params: Readonly<Record<string, string>>;
  /** Canonical path. Set only if the request used another spelling that `Route.untidy` allows. */
  tidyPath?: string;
}

interface Node {
  literals: Map<string, Node>;
  parameter: { name: string; node: Node } | null;
  endpoint: Endpoint | null;
}

const API_BASE = '/api/v1';
const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({});

/**
 * Finds the endpoint of a path. Literal segments take precedence over parameters. One trailing slash is ignored. A
 * parameter is one percent-decoded, non-empty segment. `Route.untidy` allows other spellings of the path.
 */
export class Router {
  readonly #root: Node = emptyNode();

  /** @throws Error if two endpoints have the same path, or if two paths have different names for one parameter */
  constructor(endpoints: readonly Endpoint[]) {
    for (const endpoint of endpoints) this.#insert(endpoint);
  }

  /**
   * Returns the endpoint for a path. For an unknown or malformed path, returns an endpoint that answers with the error.
   */
  resolve(path: string): Match {
    return orFailing(path, () => {
      const match = this.#match(path);
      return (match === null || match.endpoint.ANY ? this.#untidy(path) : null) ?? match ?? nowhere(path);
    });
  }

  #untidy(asked: string): Match | null {
    const { base, path } = apiPathOf(asked);
    const tidyPath = `${API_BASE}${path}`;
    const match = base === '' ? null : this.#match(tidyPath);
    const untidy = match?.endpoint.untidy;
    return match && (untidy === 'at-origin' || (untidy === 'below-api' && base === API_BASE))
      ? { ...match, tidyPath }
      : null;
  }

  #match(path: string): Match | null {
    const segments = path.split('/');
    const length = segments.length > 2 && segments.at(-1) === '' ? segments.length - 1 : segments.length;
    let params: Record<string, string> | null = null;
    let node = this.#root;
    for (let i = 1; i < length; i++) {
      const segment = segments[i] as string;
      const literal = node.literals.get(segment);
      if (literal) {
        node = literal;
      } else if (node.parameter && segment !== '') {
        (params ??= {})[node.parameter.name] = decode(segment);
        node = node.parameter.node;
      } else {
        return null;
      }
    }
    return node.endpoint && { endpoint: node.endpoint, params: params ?? NO_PARAMS };
  }

  #insert(endpoint: Endpoint): void {
    let node = this.#root;
    for (const segment of endpoint.path.split('/').slice(1)) {
      const name = parameterName(segment);
      if (name && node.parameter && node.parameter.name !== name)
        throw new Error(`${endpoint.path} names a parameter {${name}} that others name {${node.parameter.name}}.`);
      node = name ? (node.parameter ??= { name, node: emptyNode() }).node : childOf(node, segment);
    }
    if (node.endpoint) throw new Error(`Two endpoints have the path ${endpoint.path}.`);
    node.endpoint = endpoint;
  }
}

export function nowhere(path: string): Match {
  return { endpoint: failing(path, apiError('NOT_FOUND')), params: NO_PARAMS };
}

function orFailing(path: string, match: () => Match): Match {
  try {
    return match();
  } catch (error) {
    if (!isApiError(error)) throw error;
    return { endpoint: failing(path, error), params: NO_PARAMS };
  }
}

function parameterName(segment: string): string | undefined {
  return /^\{(\w+)\}$/.exec(segment)?.[1];
}

function failing(path: string, error: Error): Endpoint {
  return {
    path,
    ANY: () => {
      throw error;
    },
  };
}

function emptyNode(): Node {
  return { literals: new Map(), parameter: null, endpoint: null };
}

function childOf(node: Node, segment: string): Node {
  let child = node.literals.get(segment);
  if (!child) node.literals.set(segment, (child = emptyNode()));
  return child;
}

function decode(segment: string): string {
  let text: string;
  try {
    text = decodeURIComponent(segment);
  } catch {
    throw requestError('INVALID_PATH');
  }
  // Uses a loop, because a regular expression would violate the lint rule no-control-regex.
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) < 0x20) throw requestError('INVALID_PATH');
  return text;
}
