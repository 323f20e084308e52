/**
 * Inline script in the document head that applies the stored theme before the first paint. `theme.ts` uses the same
 * key.
 */
export const THEME_SCRIPT = `try{var t=JSON.parse(localStorage.getItem('turnpike.theme'));if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch(e){}`;
