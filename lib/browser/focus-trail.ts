/** Ancestors remembered of what has the focus. */
const TRAIL_MAX = 64;
/** Parts of a page that somebody would recognize as the place where they were. */
const PLACES =
  'section, article, form, fieldset, li, aside, main, [role=dialog], [role=alertdialog], [role=region], [role=tabpanel], [role=group]';

/** What has the focus, and everything around it, from the inside out. */
export function trailOf(element: Element): readonly Element[] {
  const trail: Element[] = [];
  for (
    let at: Element | null = element;
    at !== null && at !== document.body && trail.length < TRAIL_MAX;
    at = at.parentElement
  )
    trail.push(at);
  return trail;
}

/** Where the focus belongs that was taken away: what had it, once that can take it again; else the innermost place around it that is still there. */
export function refugeOf(trail: readonly Element[]): HTMLElement | null {
  return (
    (trail.find((element, index) => (index === 0 || element.matches(PLACES)) && canTakeFocus(element)) as
      | HTMLElement
      | undefined) ?? null
  );
}

/** Whether what had the focus was taken away from whoever had it: gone, hidden, or out of order. */
export function isTaken([focused]: readonly Element[]): boolean {
  return focused !== undefined && !canTakeFocus(focused);
}

/** Whether it is out of order only while it works: it gets the focus back when it is done. */
export function isWorking([focused]: readonly Element[]): boolean {
  return focused !== undefined && focused.isConnected && focused.matches(':disabled') && isShown(focused);
}

function canTakeFocus(element: Element): boolean {
  return element.isConnected && !element.matches(':disabled') && isShown(element);
}

function isShown(element: Element): boolean {
  return element.checkVisibility({ visibilityProperty: true }) && element.closest('[inert]') === null;
}
