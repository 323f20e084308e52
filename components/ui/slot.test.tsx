import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import { Slot } from './slot';

describe('a slot', () => {
  it('gives its properties to its child, whose own go before', () => {
    const html = renderToStaticMarkup(
      createElement(
        Slot,
        { className: 'px-2 font-medium', title: 'ours', 'aria-label': undefined },
        createElement('a', { href: '/usage', className: 'px-4', title: 'theirs', 'aria-label': 'Usage' }),
      ),
    );
    expect(html).toBe('<a href="/usage" class="font-medium px-4" title="theirs" aria-label="Usage"></a>');
  });

  it('calls both handlers, the child’s first', () => {
    const heard: string[] = [];
    const element = Slot({
      onClick: () => heard.push('slot'),
      children: createElement('a', { onClick: () => heard.push('child') }),
    }) as ReactElement<{ onClick: (event: unknown) => void }>;
    element.props.onClick({});
    expect(heard).toEqual(['child', 'slot']);
  });

  it('sets both refs, and takes both back', () => {
    const [ours, theirs] = [{ current: null as unknown }, vi.fn()];
    const element = Slot({ ref: ours as never, children: createElement('a', { ref: theirs }) }) as ReactElement<{
      ref: (element: unknown) => () => void;
    }>;
    const leave = element.props.ref('the link');
    expect([ours.current, theirs.mock.calls]).toEqual(['the link', [['the link']]]);
    leave();
    expect([ours.current, theirs.mock.calls]).toEqual([null, [['the link'], [null]]]);
  });

  it.each([['text'], [null], [[createElement('a', { key: 1 }), createElement('b', { key: 2 })]]])(
    'refuses anything but one element',
    (children) => {
      expect(() => Slot({ children })).toThrow('single element');
    },
  );
});
