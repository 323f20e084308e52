import { recordOf } from '../json-record';
import { readUsage, type TokenUsage } from './token-usage';

/** Parses the `usage` of OpenAI's Responses API or Anthropic's Messages API; null if invalid. */
export function readNativeUsage(api: 'responses' | 'messages', value: unknown): TokenUsage | null {
  const {
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
    input_tokens_details: details,
    output_tokens_details: thoughts,
  } = recordOf(value);
  if (api === 'responses')
    return readUsage({
      prompt_tokens: input,
      completion_tokens: output,
      prompt_tokens_details: details,
      completion_tokens_details: thoughts,
    });
  // Anthropic's `input_tokens` excludes cached tokens.
  const [cached, cacheWrite] = [countOf(read), countOf(written)];
  return readUsage({
    prompt_tokens: countOf(input) + cached + cacheWrite,
    completion_tokens: output,
    prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: cacheWrite },
  });
}

function countOf(value: unknown): number {
  return typeof value === 'number' && value > 0 ? value : 0;
}
