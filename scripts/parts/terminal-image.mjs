import fs from 'node:fs';

import { inRepository } from './repository.mjs';

const columns = 104;
const colours = /** @type {Record<string, string>} */ ({ 31: '#ff7b72', 32: '#7ee787', 33: '#e3b341', 36: '#79c0ff' });

/**
 * Returns an HTML page that shows a terminal's output, for a screenshot. Supports bold, dim and the colors of this
 * repository's commands. Drops other control sequences.
 *
 * @param {string} text with ANSI escape sequences
 * @returns {string}
 */
export function terminalPage(text) {
  const font = fs.readFileSync(
    inRepository('node_modules/@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2'),
  );
  return `<!doctype html>
<meta charset="utf-8">
<style>
  @font-face { font-family: 'Geist Mono'; font-weight: 100 900; src: url(data:font/woff2;base64,${font.toString('base64')}); }
  body { margin: 0; background: #16181d; }
  pre { margin: 0; padding: 28px 32px; width: ${columns}ch; font: 14px/1.5 'Geist Mono', monospace;
    font-variant-ligatures: none; color: #d7dae0; white-space: pre-wrap; overflow-wrap: anywhere; box-sizing: content-box; }
  .bold { font-weight: 650; color: #fff; }
  .dim { color: #8b919d; }
</style>
<pre>${ansiToHtml(text)}</pre>`;
}

/**
 * @param {string} text with ANSI escape sequences
 * @returns {string} HTML, with markup in the text escaped
 */
export function ansiToHtml(text) {
  let html = '';
  let style = { bold: false, dim: false, colour: '' };
  for (const part of text.split(/(\x1b\[[0-9;?]*[A-Za-z])/)) {
    const codes = /^\x1b\[([0-9;]*)m$/.exec(part)?.[1];
    if (codes !== undefined) style = (codes || '0').split(';').reduce(applyCode, style);
    else if (!part.startsWith('\x1b')) html += styled(escapeHtml(part), style);
  }
  return html;
}

/** @typedef {{bold: boolean, dim: boolean, colour: string}} Style */

/** @param {Style} style @param {string} code @returns {Style} */
function applyCode(style, code) {
  if (code === '0') return { bold: false, dim: false, colour: '' };
  if (code === '1') return { ...style, bold: true };
  if (code === '2') return { ...style, dim: true };
  if (code === '22') return { ...style, bold: false, dim: false };
  if (code === '39') return { ...style, colour: '' };
  return { ...style, colour: colours[code] ?? style.colour };
}

/** @param {string} html @param {Style} style */
function styled(html, { bold, dim, colour }) {
  if (html === '' || !(bold || dim || colour)) return html;
  const classes = [bold && 'bold', dim && 'dim'].filter(Boolean).join(' ');
  return `<span${classes && ` class="${classes}"`}${colour && ` style="color: ${colour}"`}>${html}</span>`;
}

/** @param {string} text */
function escapeHtml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
