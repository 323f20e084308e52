/** Of the chat models in the cache. */
export const CHAT_MODELS_KEY = ['chat-models'] as const;
