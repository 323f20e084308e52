import { createOpenAICompatible, type OpenAICompatibleProvider } from '@ai-sdk/openai-compatible';
import { openaiOptions } from './openai';
import type { PrivateFetchOptions } from './private-fetch';
import type { Turnpike } from './turnpike';

export type { PrivateFetchOptions };

/**
 * A provider of the AI SDK.
 * @param privately chats are attested and encrypted
 * @example generateText({ model: turnpikeModels(turnpike)('guide'), prompt })
 */
export function turnpikeModels(turnpike: Turnpike, privately?: PrivateFetchOptions): OpenAICompatibleProvider {
  const { baseURL, fetch } = openaiOptions(turnpike, privately);
  // Schemas would go out unencrypted, so they are not used where all is to be private.
  return createOpenAICompatible({
    name: 'turnpike',
    baseURL,
    fetch,
    includeUsage: true,
    supportsStructuredOutputs: privately === undefined,
  });
}
