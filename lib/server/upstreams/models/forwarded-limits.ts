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
 * Returns the field names under which to send the token limit. By default, sends both `max_tokens` and
 * `max_completion_tokens`, because many servers ignore one of them. If the server has refused one name, sends the
 * other. If the server has refused both together, sends the caller's name.
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

/** Returns the limit to send under a name: the caller's limit, capped at the reserved tokens. */
export function forwardedLimit(request: ChatRequest, name: TokenLimitName, heldTokens: number): number {
  return Math.min(namedLimitOf(request, name) ?? tokenLimitOf(request) ?? heldTokens, heldTokens);
}
