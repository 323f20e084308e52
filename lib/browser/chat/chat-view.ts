'use client';

import { createStoredValue, useStoredValue } from '../stored-value';

/** What the page shows beside the conversation; `talk` is the conversation itself, which a phone shows alone. */
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
/** What a wide screen shows beside the conversation: it stays when the conversation is gone back to. */
const side = createStoredValue<SideView>({
  key: 'turnpike.chat-side',
  initial: FIRST_SIDE,
  parse: (stored) => CHAT_VIEWS.filter(isSide).find((view) => view === stored) ?? null,
  sessionOnly: () => true,
});

/** Which view is shown, and which one beside the conversation. Kept while the tab is open. */
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
