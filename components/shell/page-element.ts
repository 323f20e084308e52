/**
 * Returns the main region; null before it is shown. The same element stays when the user opens another page, so that it
 * can take focus.
 */
export function pageElement(): HTMLElement | null {
  return document.getElementById('page');
}
