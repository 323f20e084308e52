import type { MouseEvent } from 'react';

/**
 * Ignores the second click of a double click. The user meant that click for the button that was in this place before.
 */
export function onSingleClick(action: () => void): (event: Pick<MouseEvent, 'detail'>) => void {
  return ({ detail }) => {
    if (detail !== 2) action();
  };
}
