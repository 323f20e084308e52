import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Input } from './field';
import { HeldButton, isHeldAfter, refuseKey } from './held-button';
import { HeldChoice } from './held-choice';
import { Select } from './select';

describe('a control that is disabled', () => {
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
    expect(renderToStaticMarkup(createElement(HeldButton, { disabled: true }, 'Sign'))).toBe(
      '<button type="button" disabled="">Sign</button>',
    );
    expect(renderToStaticMarkup(createElement(HeldButton, { type: 'submit' }, 'Send'))).toBe(
      '<button type="submit">Send</button>',
    );
    for (const element of [
      createElement(Select, { disabled: true, value: '', options: [], onChange: () => undefined }),
      createElement(Input, { disabled: true }),
      createElement(HeldChoice, { type: 'radio', disabled: true }),
    ]) {
      expect(renderToStaticMarkup(element)).toMatch(/ disabled=""/);
      expect(renderToStaticMarkup(element)).not.toContain('aria-disabled=');
    }
  });

  it('can be left by key while it is held, and takes no other', () => {
    const press = (key: string) => {
      let isTaken = true;
      refuseKey({ key, preventDefault: () => (isTaken = false), stopPropagation: () => undefined });
      return isTaken;
    };
    expect(['Tab', 'Escape', 'ArrowDown', ' ', 'a'].map(press)).toEqual([true, true, false, false, false]);
  });
});
