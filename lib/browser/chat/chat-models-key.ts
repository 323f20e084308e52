export const CHAT_MODELS_KEY = ['chat-models'] as const;
