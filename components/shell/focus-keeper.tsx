'use client';

import { pageElement } from '@/lib/browser/page/navigation';
import { useEffect } from 'react';

/** Dialogs and components restore focus within this time. Afterwards, focus on the body counts as lost. */
const SETTLED_MS = 160;
const OF_THE_PAGE = '#page, header, nav';
const CHANGES: MutationObserverInit = {
  subtree: true,
  childList: true,
  attributes: true,
  attributeFilter: ['disabled', 'hidden', 'inert'],
};

/**
 * Keeps focus on the page for keyboard and screen reader users. If a change removes the focused element, focuses its
 * surrounding landmark, else the page. A button that is disabled while its action runs gets focus back.
 * @param path target of the user's first input, with its ancestors; the target may lose focus before this component
 * mounts
 */
export function FocusKeeper({ path }: { path: readonly EventTarget[] }) {
  useEffect(() => {
    let trail: readonly Element[] = path.filter((target) => target instanceof Element);
    let pageTrail = trail;
    let hadToLeave = false;
    let timer: ReturnType<typeof setTimeout> | null = null;
    const remember = (target: EventTarget | null): void => {
      if (!(target instanceof Element)) return;
      // Stops the timer, because focus is back.
      if (timer !== null) clearTimeout(timer);
      timer = null;
      trail = trailOf(target);
      hadToLeave = false;
      // A closed overlay's elements cannot take focus, so the last focus outside overlays is kept too.
      if (target.closest(OF_THE_PAGE) !== null) pageTrail = trail;
    };
    const rescue = (): void => {
      timer = null;
      if (!isLost()) return;
      hadToLeave ||= isTaken(trail);
      if (hadToLeave && !isWorking(trail)) focusPlace(refugeOf(trail) ?? refugeOf(pageTrail) ?? pageElement());
    };
    // Checks focus after a delay, because the browser may drop focus only after the last DOM change.
    const rescueSoon = (): void => {
      if (trail.length > 0) timer ??= setTimeout(rescue, SETTLED_MS);
    };
    const observer = new MutationObserver(() => {
      if (isLost()) rescueSoon();
    });
    const onFocus = ({ target }: FocusEvent): void => remember(target);
    if (isLost()) rescueSoon();
    else remember(document.activeElement);
    document.addEventListener('focusin', onFocus);
    document.addEventListener('focusout', rescueSoon);
    observer.observe(document.body, CHANGES);
    return () => {
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('focusout', rescueSoon);
      observer.disconnect();
      if (timer !== null) clearTimeout(timer);
    };
  }, [path]);
  return null;
}

function isLost(): boolean {
  return document.activeElement === document.body || document.activeElement === null;
}

function focusPlace(place: HTMLElement | null): void {
  if (place === null) return;
  // The landmark shows no focus ring, because the user did not move focus there.
  if (place.tabIndex < 0 && !place.hasAttribute('tabindex')) {
    place.tabIndex = -1;
    place.dataset.focusPlace = '';
  }
  place.focus({ preventScroll: true });
}

const TRAIL_MAX = 64;
/** Landmarks that may get the focus of a removed element. */
const PLACES =
  'section, article, form, fieldset, li, aside, main, [role=dialog], [role=alertdialog], [role=region], [role=tabpanel], [role=group]';

function trailOf(element: Element): readonly Element[] {
  const trail: Element[] = [];
  for (
    let at: Element | null = element;
    at !== null && at !== document.body && trail.length < TRAIL_MAX;
    at = at.parentElement
  )
    trail.push(at);
  return trail;
}

/** Returns the previously focused element if focusable again, else the innermost landmark that is left around it. */
function refugeOf(trail: readonly Element[]): HTMLElement | null {
  return (
    (trail.find((element, index) => (index === 0 || element.matches(PLACES)) && canTakeFocus(element)) as
      | HTMLElement
      | undefined) ?? null
  );
}

function isTaken([focused]: readonly Element[]): boolean {
  return focused !== undefined && !canTakeFocus(focused);
}

function isWorking([focused]: readonly Element[]): boolean {
  return focused !== undefined && focused.isConnected && focused.matches(':disabled') && isShown(focused);
}

function canTakeFocus(element: Element): boolean {
  return element.isConnected && !element.matches(':disabled') && isShown(element);
}

function isShown(element: Element): boolean {
  return element.checkVisibility({ visibilityProperty: true }) && element.closest('[inert]') === null;
}
