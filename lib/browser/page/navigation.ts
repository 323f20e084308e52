/**
 * Maximum time for which the progress bar and the placeholder cover the page. A link to a file, for example, opens no
 * page that would remove them.
 */
const SHOWN_MS = 10_000;

let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Sets the path of the requested page, for the shell's styles; null once the page is shown or the navigation is
 * cancelled.
 */
export function noteAskedPage(path: string | null): void {
  const { dataset } = document.documentElement;
  clearTimeout(timer);
  delete dataset.asked;
  if (path === null || path === window.location.pathname || path.startsWith('/api/')) return;
  dataset.asked = path;
  timer = setTimeout(() => noteAskedPage(null), SHOWN_MS);
}

export function askForPage(href: string): void {
  noteAskedPage(href.replace(/[?#].*/, ''));
}

/**
 * Returns the main region; null before the region is shown. The element stays the same on all pages, so that it can
 * take focus.
 */
export function pageElement(): HTMLElement | null {
  return document.getElementById('page');
}
