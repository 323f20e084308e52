import { describe, expect, it } from 'vitest';
import { payerPanel } from './opened';

const button = { name: 'what asked for it' } as unknown as HTMLElement;

describe('the panel of who pays', () => {
  it('gives the focus back to what asked for it, and to its own control where that asked', () => {
    payerPanel.set(true, () => button);
    payerPanel.set(false);
    expect(payerPanel.focusAfter()).toBe(button);
    payerPanel.set(true);
    payerPanel.set(false);
    expect(payerPanel.focusAfter()).toBeNull();
  });

  it('leaves it to its own control where what asked for it is gone', () => {
    payerPanel.set(true, () => null);
    expect(payerPanel.focusAfter()).toBeNull();
  });
});
