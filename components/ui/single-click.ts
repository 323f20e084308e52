import type { MouseEvent } from 'react';

/** Ignores the second click of a double click, which was meant for an earlier button in this place. */
export function onSingleClick(action: () => void): (event: Pick<MouseEvent, 'detail'>) => void {
  return ({ detail }) => {
    if (detail !== 2) action();
  };
}
