'use client';

import { type ChatModelInfo, listChatModels } from '@/lib/client/chat-models';
import { useQuery } from '@tanstack/react-query';
import { gatewayOptions } from '../gateway';

const STALE_AFTER_MS = 60_000;

/** The chat models of this gateway; null until the list has arrived. */
export function useChatModels(): { models: readonly ChatModelInfo[] | null; error: Error | null; retry: () => void } {
  const query = useQuery({ queryKey: ['chat-models'], queryFn: ({ signal }) => listChatModels(gatewayOptions(), { signal }), staleTime: STALE_AFTER_MS, refetchInterval: STALE_AFTER_MS });
  return { models: query.data ?? null, error: query.error, retry: () => void query.refetch() };
}
