import type { MouseEvent } from 'react';

/**
 * Runs an action on a click, and not on the second click of a double click: where a button takes the place of the one
 * that was pressed, that second click was meant for the first.
 */
export function onSingleClick(action: () => void): (event: Pick<MouseEvent, 'detail'>) => void {
  return ({ detail }) => {
    if (detail !== 2) action();
  };
}
