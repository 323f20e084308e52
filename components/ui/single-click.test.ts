import { describe, expect, it, vi } from 'vitest';
import { onSingleClick } from './single-click';

describe('a button that takes the place of another', () => {
  it('acts on a click, from the keyboard too, and not on the second of a double click', () => {
    const action = vi.fn();
    const onClick = onSingleClick(action);
    onClick({ detail: 2 });
    expect(action).not.toHaveBeenCalled();
    onClick({ detail: 0 });
    onClick({ detail: 1 });
    onClick({ detail: 3 });
    expect(action).toHaveBeenCalledTimes(3);
  });
});
