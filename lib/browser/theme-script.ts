/**
 * Paints the stored theme before the first pixel, so that no page flashes in the wrong one. Runs as an inline
 * script in the document head; `theme.ts` keeps the value under the same key.
 */
export const THEME_SCRIPT = `try{var t=JSON.parse(localStorage.getItem('turnpike.theme'));if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch(e){}`;
