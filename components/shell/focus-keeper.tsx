'use client';

import { isTaken, isWorking, refugeOf, trailOf } from '@/lib/browser/focus-trail';
import { useEffect } from 'react';
import { pageElement } from './page-element';

/** Dialogs give the focus back, and components hand it on, in their own time; what is on the body after that is lost. */
const SETTLED_MS = 160;
/** The frame's own parts. */
const OF_THE_PAGE = '#page, header, nav';
const CHANGES: MutationObserverInit = {
  subtree: true,
  childList: true,
  attributes: true,
  attributeFilter: ['disabled', 'hidden', 'inert'],
};

/**
 * Keeps the focus on the page for whoever works by keyboard or listens: where a change takes away what had it, the place
 * around it gets it, in the last resort the page; a button that was out of order while it worked gets it back.
 */
export function FocusKeeper() {
  useEffect(() => {
    let trail: readonly Element[] = [];
    let pageTrail: readonly Element[] = [];
    let hadToLeave = false;
    let timer: ReturnType<typeof setTimeout> | null = null;
    const remember = (target: EventTarget | null): void => {
      if (!(target instanceof Element)) return;
      // What was lost is found: the next loss has its own time.
      if (timer !== null) clearTimeout(timer);
      timer = null;
      trail = trailOf(target);
      hadToLeave = false;
      // What floats above the page (dialogs, and the guards at their edges) goes as a whole.
      if (target.closest(OF_THE_PAGE) !== null) pageTrail = trail;
    };
    const rescue = (): void => {
      timer = null;
      if (!isLost()) return;
      hadToLeave ||= isTaken(trail);
      if (hadToLeave && !isWorking(trail)) focusPlace(refugeOf(trail) ?? refugeOf(pageTrail) ?? pageElement());
    };
    const observer = new MutationObserver(() => {
      if (isLost() && trail.length > 0) timer ??= setTimeout(rescue, SETTLED_MS);
    });
    const onFocus = ({ target }: FocusEvent): void => remember(target);
    // It may have come after the first focus.
    if (!isLost()) remember(document.activeElement);
    document.addEventListener('focusin', onFocus);
    observer.observe(document.body, CHANGES);
    return () => {
      document.removeEventListener('focusin', onFocus);
      observer.disconnect();
      if (timer !== null) clearTimeout(timer);
    };
  }, []);
  return null;
}

function isLost(): boolean {
  return document.activeElement === document.body || document.activeElement === null;
}

function focusPlace(place: HTMLElement | null): void {
  if (place === null) return;
  // A place takes the focus by script alone, and is not ringed: nothing in it was chosen.
  if (place.tabIndex < 0 && !place.hasAttribute('tabindex')) {
    place.tabIndex = -1;
    place.dataset.focusPlace = '';
  }
  place.focus({ preventScroll: true });
}
