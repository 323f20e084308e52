'use client';

import { type ChatModelInfo, listChatModels } from '@/lib/client/chat-models';
import { gatewayOptions } from '../gateway';
import { useRead } from '../reads/use-read';
import { CHAT_MODELS_KEY } from './chat-models-key';

const STALE_AFTER_MS = 60_000;

/** Returns this gateway's chat models; null until they arrive. */
export function useChatModels(): { models: readonly ChatModelInfo[] | null; error: Error | null; retry: () => void } {
  const { data, error, refetch } = useRead({
    key: CHAT_MODELS_KEY,
    read: (signal) => listChatModels(gatewayOptions(), { signal }),
    staleMs: STALE_AFTER_MS,
    everyMs: STALE_AFTER_MS,
  });
  return { models: data ?? null, error, retry: () => void refetch() };
}
