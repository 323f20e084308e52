import { createOpenAICompatible, type OpenAICompatibleProvider } from '@ai-sdk/openai-compatible';
import { openaiOptions } from './openai';
import type { PrivateFetchOptions } from './private-fetch';
import type { Turnpike } from './turnpike';

export type { PrivateFetchOptions };

/**
 * AI SDK provider.
 * @param privately if present, chats are attested and encrypted
 * @example generateText({ model: turnpikeModels(turnpike)('guide'), prompt })
 */
export function turnpikeModels(turnpike: Turnpike, privately?: PrivateFetchOptions): OpenAICompatibleProvider {
  const { baseURL, fetch } = openaiOptions(turnpike, privately);
  // The SDK sends no schemas with private chats, because a schema would be sent unencrypted.
  return createOpenAICompatible({
    name: 'turnpike',
    baseURL,
    fetch,
    includeUsage: true,
    supportsStructuredOutputs: privately === undefined,
  });
}
