import {
  type ChatRequest,
  namedLimitOf,
  TOKEN_LIMIT_NAMES,
  type TokenLimitName,
  tokenLimitOf,
} from '@/lib/protocol/chat/chat-request';
import type { Oddities } from './server-oddities';

const BOTH: readonly TokenLimitName[] = TOKEN_LIMIT_NAMES;
const NONE: readonly TokenLimitName[] = [];

/**
 * The names under which a plain server is told the limit of a request: both, since many servers ignore one of them; of
 * a server that refuses the two together the caller's own; of one that refuses a name the other.
 */
export function limitNamesFor(request: ChatRequest, isClamped: boolean, oddities: Oddities): readonly TokenLimitName[] {
  if (!isClamped && tokenLimitOf(request) === null) return NONE;
  if (oddities.size === 0) return BOTH;
  if (oddities.has('max_tokens')) return ['max_completion_tokens'];
  if (oddities.has('max_completion_tokens')) return ['max_tokens'];
  if (!oddities.has('two-limits')) return BOTH;
  return namedLimitOf(request, 'max_tokens') === null && namedLimitOf(request, 'max_completion_tokens') !== null
    ? ['max_completion_tokens']
    : ['max_tokens'];
}

/** The limit that goes out under a name: the caller's, and never more than is held. */
export function forwardedLimit(request: ChatRequest, name: TokenLimitName, heldTokens: number): number {
  return Math.min(namedLimitOf(request, name) ?? tokenLimitOf(request) ?? heldTokens, heldTokens);
}
