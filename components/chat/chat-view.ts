'use client';

import type { SideName } from './conversation';
import { createStoredValue, useStoredValue } from '@/lib/browser/storage/stored-value';

/** Views of the page. A narrow screen shows one. A wide screen also shows `talk` and, if there is room, `kept`. */
export const CHAT_VIEWS = ['talk', 'lock', 'setup', 'code', 'kept'] as const;
export type ChatView = (typeof CHAT_VIEWS)[number];
/** Views that open in the drawer of a wide screen. */
export const DRAWER_VIEWS = ['lock', 'setup', 'code'] as const;
export type DrawerView = (typeof DRAWER_VIEWS)[number];

const shown = createStoredValue<ChatView>({
  key: 'turnpike.chat-view',
  initial: 'talk',
  parse: (stored) => CHAT_VIEWS.find((view) => view === stored) ?? null,
  sessionOnly: () => true,
});
/** Which of two compared models the Privacy panel shows. */
const privacySide = createStoredValue<SideName>({
  key: 'turnpike.chat-privacy-side',
  initial: 'main',
  parse: (stored) => (stored === 'beside' ? 'beside' : 'main'),
  sessionOnly: () => true,
});

export function usePrivacySide(): SideName {
  return useStoredValue(privacySide);
}

export function showPrivacyOf(side: SideName): void {
  privacySide.set(side);
}

export function showChatView(view: ChatView): void {
  shown.set(view);
}

/** Returns the shown view. The tab remembers the view across reloads. */
export function useChatView(): { view: ChatView; drawer: DrawerView | null; show: (view: ChatView) => void } {
  const view = useStoredValue(shown);
  return { view, drawer: DRAWER_VIEWS.find((each) => each === view) ?? null, show: showChatView };
}
