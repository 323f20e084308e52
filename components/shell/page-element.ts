/** The main region of the page, which stays from page to page: whoever goes to one by keys is there. Null before it is shown. */
export function pageElement(): HTMLElement | null {
  return document.getElementById('page');
}
