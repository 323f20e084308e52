import type { MouseEvent } from 'react';

/**
 * Wraps an action so that it ignores the second click of a double click. That click was meant for an earlier button in
 * this place.
 */
export function onSingleClick(action: () => void): (event: Pick<MouseEvent, 'detail'>) => void {
  return ({ detail }) => {
    if (detail !== 2) action();
  };
}
