/**
 * Inline script in the document head. If a conversation is open in this tab, sets `data-conversation` before the first
 * paint, so that the empty page's text does not flash. `conversation-store.ts` uses the same storage key.
 */
export const REMEMBERED_CONVERSATION_SCRIPT = `try{if(JSON.parse(sessionStorage.getItem('turnpike.chat')))document.documentElement.dataset.conversation=''}catch(e){}`;
