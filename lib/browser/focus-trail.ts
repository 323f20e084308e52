const TRAIL_MAX = 64;
/** Landmarks that tell a user where focus was. */
const PLACES =
  'section, article, form, fieldset, li, aside, main, [role=dialog], [role=alertdialog], [role=region], [role=tabpanel], [role=group]';

/** Returns the focused element and its ancestors, innermost first. */
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

/**
 * Returns the element to focus after focus was lost: the previous element if it is focusable again, else its innermost
 * remaining landmark.
 */
export function refugeOf(trail: readonly Element[]): HTMLElement | null {
  return (
    (trail.find((element, index) => (index === 0 || element.matches(PLACES)) && canTakeFocus(element)) as
      | HTMLElement
      | undefined) ?? null
  );
}

/** Returns whether the focused element was removed, hidden or disabled. */
export function isTaken([focused]: readonly Element[]): boolean {
  return focused !== undefined && !canTakeFocus(focused);
}

/** Returns whether the focused element is shown but disabled, as a button is while it works. */
export function isWorking([focused]: readonly Element[]): boolean {
  return focused !== undefined && focused.isConnected && focused.matches(':disabled') && isShown(focused);
}

function canTakeFocus(element: Element): boolean {
  return element.isConnected && !element.matches(':disabled') && isShown(element);
}

function isShown(element: Element): boolean {
  return element.checkVisibility({ visibilityProperty: true }) && element.closest('[inert]') === null;
}
