'use client';

import { createStoredValue, useStoredValue } from '../stored-value';

/** What the page shows beside the conversation; `talk` is the conversation itself, which a phone shows alone. */
export const CHAT_VIEWS = ['talk', 'lock', 'setup', 'code', 'kept'] as const;
export type ChatView = (typeof CHAT_VIEWS)[number];

const shown = createStoredValue<ChatView>({ key: 'turnpike.chat-view', initial: 'talk', parse: (stored) => CHAT_VIEWS.find((view) => view === stored) ?? null, sessionOnly: () => true });

/** Which view is shown. Kept while the tab is open. */
export function useChatView(): { view: ChatView; show: (view: ChatView) => void } {
  return { view: useStoredValue(shown), show: (view) => shown.set(view) };
}
