import type { MouseEvent } from 'react';

/**
 * Wraps an action so that the second click of a double click does not run it. The second click was meant for the button
 * that was in this place at the first click.
 */
export function onSingleClick(action: () => void): (event: Pick<MouseEvent, 'detail'>) => void {
  return ({ detail }) => {
    if (detail !== 2) action();
  };
}
