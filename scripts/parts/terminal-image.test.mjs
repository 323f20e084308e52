import { describe, expect, test } from 'vitest';

import { ansiToHtml } from './terminal-image.mjs';

describe('what a terminal printed, as HTML', () => {
  test('keeps bold, dim and colours until they end', () => {
    expect(ansiToHtml('\x1b[1mA\x1b[22m b \x1b[36mc\x1b[39m d')).toBe(
      '<span class="bold">A</span> b <span style="color: #79c0ff">c</span> d',
    );
    expect(ansiToHtml('\x1b[2;31mx\x1b[0my')).toBe('<span class="dim" style="color: #ff7b72">x</span>y');
  });

  test('drops what moves the cursor', () => {
    expect(ansiToHtml('a\x1b[2Kb\x1b[?25lc')).toBe('abc');
  });

  test('shows markup as text', () => {
    expect(ansiToHtml('<script>1 && 2</script>')).toBe('&lt;script&gt;1 &amp;&amp; 2&lt;/script&gt;');
  });
});
