import type { MouseEvent } from 'react';

/** Ignores the second click of a double click, which the user meant for the button that was here before. */
export function onSingleClick(action: () => void): (event: Pick<MouseEvent, 'detail'>) => void {
  return ({ detail }) => {
    if (detail !== 2) action();
  };
}
