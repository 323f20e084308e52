import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { HeldButton, isHeldAfter } from './held-button';

describe('a button that is disabled', () => {
  it.each([
    ['while it has the focus', { isDisabled: true, hasFocus: true }, [true]],
    ['while something else has it', { isDisabled: true, hasFocus: false }, [false]],
    ['not at all', { isDisabled: false, hasFocus: true }, [false]],
  ])('%s', (_, now, [held]) => {
    expect(isHeldAfter(false, now)).toBe(held);
  });

  it('stays focusable when a dialog takes the focus, until it is enabled', () => {
    expect(isHeldAfter(true, { isDisabled: true, hasFocus: false })).toBe(true);
    expect(isHeldAfter(true, { isDisabled: false, hasFocus: true })).toBe(false);
  });

  it('is plainly disabled where it never had the focus', () => {
    expect(renderToStaticMarkup(createElement(HeldButton, { disabled: true }, 'Sign'))).toBe('<button type="button" disabled="">Sign</button>');
    expect(renderToStaticMarkup(createElement(HeldButton, { type: 'submit' }, 'Send'))).toBe('<button type="submit">Send</button>');
  });
});
