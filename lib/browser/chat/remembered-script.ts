/**
 * Says before the first paint, as `data-conversation` on the document, whether a conversation is open in this tab, so
 * that the words before the first question are not seen on the way to it. Runs as an inline script in the document head;
 * `conversation-store.ts` keeps its id under the same key. Where the storage is blocked or broken there is none to show.
 */
export const REMEMBERED_CONVERSATION_SCRIPT = `try{if(JSON.parse(sessionStorage.getItem('turnpike.chat')))document.documentElement.dataset.conversation=''}catch(e){}`;
