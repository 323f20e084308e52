import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { pathOf, QrCode } from './phone-wallet';

describe('a code to scan', () => {
  it('is drawn from the runs of its rows', () => {
    expect(
      pathOf([
        [true, true, false, true],
        [false, false, false, false],
        [false, true, true, true],
      ]),
    ).toBe('M0 0h2v1h-2zM3 0h1v1h-1zM1 2h3v1h-3z');
  });

  it('holds a pairing link of WalletConnect, and has a name', () => {
    const link = `wc:${'7f'.repeat(32)}@2?expiryTimestamp=1795449600&relay-protocol=irn&symKey=${'a1'.repeat(32)}`;
    const html = renderToStaticMarkup(
      createElement(QrCode, { text: link, label: 'Code to scan', className: 'size-full' }),
    );
    expect(html).toMatch(/^<svg role="img" aria-label="Code to scan" viewBox="0 0 (\d+) \1"/);
    // Top row of the first finder pattern: seven modules.
    expect(html).toContain('M1 1h7v1h-7z');
  });
});
