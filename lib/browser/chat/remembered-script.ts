/**
 * Inline script in the document head. If this tab has an open conversation, sets `data-conversation` before the first
 * paint, so that the empty page's text does not flash. `conversation-store.ts` uses the same key.
 */
export const REMEMBERED_CONVERSATION_SCRIPT = `try{if(JSON.parse(sessionStorage.getItem('turnpike.chat')))document.documentElement.dataset.conversation=''}catch(e){}`;
