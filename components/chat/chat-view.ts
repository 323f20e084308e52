'use client';

import type { SideName } from './conversation';
import { createStoredValue, useStoredValue } from '@/lib/browser/storage/stored-value';

/** Views of the page. `talk` is the conversation; a phone shows it without a side view. */
export const CHAT_VIEWS = ['talk', 'lock', 'setup', 'code', 'kept'] as const;
export type ChatView = (typeof CHAT_VIEWS)[number];
export type SideView = Exclude<ChatView, 'talk'>;

const FIRST_SIDE: SideView = 'lock';

const shown = createStoredValue<ChatView>({
  key: 'turnpike.chat-view',
  initial: 'talk',
  parse: (stored) => CHAT_VIEWS.find((view) => view === stored) ?? null,
  sessionOnly: () => true,
});
/** Last view that the page showed beside the conversation. */
const side = createStoredValue<SideView>({
  key: 'turnpike.chat-side',
  initial: FIRST_SIDE,
  parse: (stored) => CHAT_VIEWS.filter(isSide).find((view) => view === stored) ?? null,
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

/** Returns the shown view and the side view, kept while the tab is open. */
export function useChatView(): { view: ChatView; sideView: SideView; show: (view: ChatView) => void } {
  return {
    view: useStoredValue(shown),
    sideView: useStoredValue(side),
    show(view) {
      shown.set(view);
      if (isSide(view)) side.set(view);
    },
  };
}

function isSide(view: ChatView): view is SideView {
  return view !== 'talk';
}
